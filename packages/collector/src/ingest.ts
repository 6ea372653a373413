import { oneLine, parseBatch } from './batch.js'
import { readBody } from './body.js'
import type { Clock } from './clock.js'
import { CollectorError } from './error.js'
import { json } from './http.js'
import type { Journal } from './journal.js'
import type { Limits } from './limits.js'
import type { ByteQueue } from './queue.js'
import type { State } from './state.js'

export interface IngestOptions {
  readonly state: State
  readonly journal: Journal
  readonly queue: ByteQueue
  readonly limits: Limits
  readonly clock: Clock
}

/** Takes one posted batch: read, check, onto the disk, into the figures, and only then acknowledge. */
export function ingest({
  state,
  journal,
  queue,
  limits,
  clock,
}: IngestOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    checkType(request)
    const ticket = queue.open()
    try {
      const text = await readBody(request, { limits, clock, ticket })
      const batch = parseBatch(text)
      const receivedMs = clock.now()
      if (!state.ledgers.has(batch)) await journal.append({ receivedMs, text: oneLine(text) })
      return json(state.add(batch, receivedMs))
    } finally {
      ticket.close()
    }
  }
}

/** `text/plain` is the same JSON from a page that wants no preflight, or that is about to be left. */
function checkType(request: Request): void {
  const type = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/json' || type === 'text/plain') return
  throw new CollectorError('UNSUPPORTED_MEDIA', 'send the batch as application/json or text/plain', {
    path: 'content-type',
  })
}
