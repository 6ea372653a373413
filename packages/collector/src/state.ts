import { type Batch, type BatchAnswer, decodeSpans } from '@tandem/telemetry/wire'
import { parseBatch } from './batch.js'
import type { Entry } from './journal.js'
import { type Ledgers, ledgers } from './ledgers.js'
import type { Limits } from './limits.js'
import { type SeriesStore, seriesStore } from './series.js'
import { type Traces, traces } from './traces.js'

/** What the collector knows, all of it in memory and all of it rebuilt from the journal at a start. */
export interface State {
  readonly series: SeriesStore
  readonly traces: Traces
  readonly ledgers: Ledgers
  /** Takes a batch, once: a repeated one changes nothing and is answered the same. */
  add(batch: Batch, receivedMs: number): BatchAnswer
  /** Takes what an earlier run had acknowledged. */
  readonly replay: (entry: Entry) => void
  counts(): Record<string, number>
}

export function state(limits: Limits): State {
  const series = seriesStore(limits)
  const kept = traces(limits)
  const accounts = ledgers(limits)
  let batches = 0
  let repeated = 0
  let rejected = 0
  let unreadable = 0

  const self: State = {
    series,
    traces: kept,
    ledgers: accounts,
    add(batch, receivedMs) {
      const decoded = decodeSpans(batch)
      const answer = { accepted: decoded.spans.length, rejected: decoded.rejected }
      if (accounts.has(batch)) {
        repeated++
        return answer
      }
      const { service, instance, dict } = batch
      batches++
      rejected += decoded.rejected
      accounts.add(batch, { receivedMs, ...answer })
      // Added to the decoded spans, which are nobody else's: copying each took as long as all the rest of a batch.
      kept.add(decoded.spans.map((span) => Object.assign(span, { service, instance })))
      for (const row of batch.sketches) {
        const key = {
          service,
          name: dict[row.name] ?? '',
          model: dict[row.model] ?? null,
          device: dict[row.device] ?? null,
          place: dict[row.place] ?? null,
          stage: row.series,
        }
        series.add(key, row.sketch, receivedMs)
      }
      return answer
    },
    replay({ receivedMs, text }) {
      try {
        self.add(parseBatch(text), receivedMs)
      } catch {
        // Whole on the disk, but of a format that this version does not take: counted, and the start goes on.
        unreadable++
      }
    },
    counts: () => ({ batches, repeated, rejected, unreadable, ...kept.size(), ...series.size() }),
  }
  return self
}
