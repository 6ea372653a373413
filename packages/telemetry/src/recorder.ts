import { type Account, drop } from './account.js'
import type { Ids } from './ids.js'
import type { Policy } from './policy.js'
import { type Ring, ring } from './ring.js'
import { type SeriesTable, seriesTable } from './series.js'
import { keepsShare } from './share.js'
import type { ChildContext, Recorder, Span, SpanContext } from './span.js'
import { slowestPerMinute } from './worst.js'

export interface RecorderOptions {
  readonly policy: Policy
  readonly ids: Ids
  readonly account: Account
  /** Kept spans that can wait. */
  readonly capacity: number
  /** Sets of labels before the overflow row. */
  readonly maxSeries: number
  /** The context of the surrounding trace, where the platform knows it. */
  ambient(): SpanContext | undefined
  /** Told after each span that was taken: cheap, and on the caller's tick. */
  recorded(): void
}

/** A recorder, and what it holds for whoever sends it on. */
export interface LiveRecorder extends Recorder {
  readonly kept: Ring<Span>
  readonly series: SeriesTable
  /** From now on spans are only counted. */
  close(): void
}

/** Every span goes into the series; those worth looking at are kept as well. */
export function recorder(options: RecorderOptions): LiveRecorder {
  const { policy, account, ids } = options
  const keeps = keepsShare(policy.sample)
  const isSlowest = slowestPerMinute(policy.worstPerMinute)
  const kept = ring<Span>(options.capacity)
  const series = seriesTable(options.maxSeries)
  let closed = false

  const self: LiveRecorder = {
    kept,
    series,
    close() {
      closed = true
    },
    child(parent = options.ambient()): ChildContext {
      if (parent !== undefined) {
        const { traceId, sampled, spanId: parentSpanId } = parent
        return { traceId, spanId: ids.next(8), sampled, recorder: self, parentSpanId }
      }
      const traceId = ids.next(16)
      const sampled = keeps(ids.word(4), ids.word(0))
      return { traceId, spanId: ids.next(8), sampled, recorder: self, parentSpanId: undefined }
    },
    record(span) {
      account.recorded++
      if (closed) return drop(account, 'shutdown')
      if (!isSpan(span)) return drop(account, 'invalid')
      series.row(span).record(span)
      const { durationMs } = span
      // The slowest of the minute are asked for last but always: each call raises their bar.
      const slowest = isSlowest(span.startMs + durationMs, durationMs)
      if (slowest || span.context.sampled || durationMs > policy.slowMs || span.outcome !== 'ok') {
        if (kept.push(span)) drop(account, 'ring_full')
      } else {
        drop(account, 'sampled')
      }
      options.recorded()
    },
  }
  return self
}

/** Whether it has what a span needs: those who write JavaScript, or divide by zero, must not break a batch. */
function isSpan(span: Span): boolean {
  return (
    Number.isFinite(span?.durationMs) &&
    span.durationMs >= 0 &&
    Math.abs(span.startMs) <= latestMs &&
    typeof span.name === 'string' &&
    typeof span.outcome === 'string' &&
    isId(span.context?.traceId, 32) &&
    isId(span.context.spanId, 16) &&
    (span.context.parentSpanId === undefined || isId(span.context.parentSpanId, 16))
  )
}

/** Further from a clock's zero than any process lives; in microseconds still a whole number. */
const latestMs = Number.MAX_SAFE_INTEGER / 1000

/** One of another length would shift those of every other span in its batch. */
function isId(id: unknown, digits: number): boolean {
  return typeof id === 'string' && id.length === digits
}
