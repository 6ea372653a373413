import { createReadStream } from 'node:fs'
import type { Entry } from './journal.js'
import { decodeLine } from './line.node.js'

const newline = 10

/** What reading one segment file gave. */
export interface SegmentReport {
  entries: number
  corrupt: number
  torn: number
  bytes: number
  lastMs: number
}

/** Hands every whole, unharmed line to `take`, in order. Never throws for what the file holds. */
export async function readSegment(path: string, take: (entry: Entry) => void): Promise<SegmentReport> {
  const report: SegmentReport = { entries: 0, corrupt: 0, torn: 0, bytes: 0, lastMs: 0 }
  let rest: Buffer[] = []
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes: Buffer = chunk
    report.bytes += bytes.length
    let from = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      line(Buffer.concat([...rest, bytes.subarray(from, end)]))
      rest = []
      from = end + 1
    }
    if (from < bytes.length) rest.push(bytes.subarray(from))
  }
  if (rest.length > 0) report.torn = 1
  return report

  function line(bytes: Buffer): void {
    const entry = decodeLine(bytes)
    if (entry === undefined) {
      report.corrupt++
      return
    }
    report.entries++
    report.lastMs = Math.max(report.lastMs, entry.receivedMs)
    take(entry)
  }
}
