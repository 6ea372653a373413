import { CollectorError } from './error.js'

/** The bytes that one request holds in memory until it is answered. */
export interface Ticket {
  /** @throws CollectorError OVERLOADED when all requests together would hold more than the bound */
  take(bytes: number): void
  /** Gives everything back. */
  close(): void
}

export interface ByteQueue {
  open(): Ticket
  /** Bytes that all tickets hold. */
  held(): number
}

/** One bound over all that is being read or waits for the disk: overload is answered, never swallowed into memory. */
export function byteQueue(maxBytes: number): ByteQueue {
  let held = 0
  return {
    held: () => held,
    open() {
      let mine = 0
      return {
        take(bytes) {
          if (held + bytes > maxBytes) {
            throw new CollectorError('OVERLOADED', 'the collector is behind: send this batch again later')
          }
          held += bytes
          mine += bytes
        },
        close() {
          held -= mine
          mine = 0
        },
      }
    },
  }
}
