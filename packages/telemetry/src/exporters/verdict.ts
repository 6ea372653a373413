import type { BatchAnswer } from '../batch.js'
import type { Delivery } from '../exporter.js'
import { retryAfterMs, retryStatuses } from './retry.js'

/** What a request taught: the batch is done with, or another try may help, at `waitMs` the earliest. */
export type Verdict =
  | { readonly done: Delivery; readonly trouble?: string }
  | { readonly done?: undefined; readonly trouble: string; readonly waitMs?: number | undefined }

/** Reads a collector's answer to a batch of so many spans. */
export async function readVerdict(response: Response, spans: number, wallMs: number): Promise<Verdict> {
  const { status } = response
  // Read to its end in any case, or the connection stays taken.
  const text = await response.text()
  if (!response.ok) {
    const trouble = `answered ${status}: ${text.slice(0, 200)}`
    if (!retryStatuses.has(status)) return { done: { delivered: 0 }, trouble }
    return { trouble, waitMs: retryAfterMs(response.headers.get('retry-after'), wallMs) }
  }
  if (status === 204) return { done: { delivered: spans } }
  const rejected = rejectedIn(text)
  if (rejected === undefined) return { done: { delivered: 0 }, trouble: 'answers, but not like a collector' }
  const done = { delivered: Math.max(0, spans - rejected) }
  return rejected > 0 ? { done, trouble: `rejected ${rejected} malformed spans` } : { done }
}

/** Undefined for what no collector says: a login page of the network's, a web server's index. */
function rejectedIn(text: string): number | undefined {
  try {
    const { rejected } = JSON.parse(text) as Partial<BatchAnswer>
    return typeof rejected === 'number' && rejected >= 0 ? rejected : undefined
  } catch {
    return undefined
  }
}
