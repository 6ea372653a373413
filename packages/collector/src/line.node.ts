import { crc32 } from 'node:zlib'
import type { Entry } from './journal.js'

// A line is `<crc32 of the rest, 8 hex> <receivedMs> <JSON>\n`: the checksum tells a flipped bit from a batch.

export function encodeLine(entry: Entry): Buffer {
  const rest = `${entry.receivedMs} ${entry.text}`
  return Buffer.from(`${checksum(rest)} ${rest}\n`)
}

/** Undefined when the line is not what was written. */
export function decodeLine(line: Buffer): Entry | undefined {
  const rest = line.subarray(9)
  if (line.toString('latin1', 0, 9) !== `${checksum(rest)} `) return undefined
  const space = rest.indexOf(' ')
  const receivedMs = Number(rest.toString('latin1', 0, space))
  return space > 0 && Number.isFinite(receivedMs)
    ? { receivedMs, text: rest.toString('utf8', space + 1) }
    : undefined
}

function checksum(data: string | Buffer): string {
  return crc32(data).toString(16).padStart(8, '0')
}
