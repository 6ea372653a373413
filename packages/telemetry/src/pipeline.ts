import { type Account, drop } from './account.js'
import { type Batch, type Ledger, wireVersion } from './batch.js'
import type { Clock } from './clock.js'
import { encode } from './encode.js'
import type { Delivery, Exporter } from './exporter.js'
import type { LiveRecorder } from './recorder.js'
import type { Span } from './span.js'

/** Spans in a batch: about 50 kB, which fits a browser's allowance for requests that outlive the page. */
const batchSpans = 512
/** Batches encoded in one go, about a millisecond's work; what is left waits for the next macrotask. */
const batchesPerTick = 4
/** As many kept spans do not wait for the interval. */
const burst = 1024
/** Smaller batches at the page's end, so that they fill the allowance well; more than these do not fit it. */
const exitBatchSpans = 100
const exitBatches = 6

export interface PipelineOptions {
  readonly service: string
  readonly environment: string
  readonly instance: string
  readonly flushIntervalMs: number
  readonly clock: Clock
  readonly exporters: readonly Exporter[]
  readonly recorder: LiveRecorder
  readonly account: Account
}

/** The way of what was recorded into batches and on to every exporter, with the account of what became of it. */
export interface Pipeline {
  /** Something was recorded: it will be sent within the interval. */
  nudge(): void
  ledger(): Ledger
  /** Hands everything over now and waits until it is delivered or lost, or for `deadlineMs`. */
  flush(deadlineMs: number): Promise<void>
  /** The page is going away. */
  exit(): void
  /** Sends what it can within `deadlineMs`, counts the rest as lost, and ends. */
  shutdown(deadlineMs: number): Promise<void>
}

export function pipeline(options: PipelineOptions): Pipeline {
  const { clock, exporters, recorder, account } = options
  const { kept, series } = recorder
  /** Batches that the exporters have, and when they are through with each. */
  const underway = new Map<Batch, Promise<void>>()
  let seq = 0
  let cancelTick: (() => void) | undefined
  let hurried = false
  let closed = false

  const ledger = (): Ledger => {
    let pending = kept.size()
    for (const { spans } of underway.keys()) pending += spans.n
    return {
      recorded: account.recorded,
      delivered: account.delivered,
      pending,
      dropped: { ...account.dropped },
    }
  }

  const handOver = (spans: readonly Span[], withSketches: boolean): void => {
    const anchor = { wallMs: clock.wall(), monoMs: clock.now() }
    const encoded = encode(spans, withSketches ? series.rows : [], anchor.monoMs)
    if (spans.length === 0 && encoded.sketches.length === 0) return
    // The spans have left the ring and are not underway yet: still pending.
    const counts = ledger()
    const batch: Batch = {
      v: wireVersion,
      service: options.service,
      instance: options.instance,
      seq: seq++,
      environment: options.environment,
      anchor,
      ledger: { ...counts, pending: counts.pending + spans.length },
      ...encoded,
    }
    underway.set(
      batch,
      deliver(batch, exporters).then((delivery) => settle(batch, delivery)),
    )
  }

  const settle = (batch: Batch, { delivered, reason = 'rejected', untried }: Delivery): void => {
    if (!underway.delete(batch)) return
    account.delivered += delivered
    drop(account, reason, batch.spans.n - delivered)
    if (untried && !closed) putBack(batch)
  }

  /** The figures of a batch that never left go with the next one. */
  const putBack = ({ sketches, dict }: Batch): void => {
    for (const { name, model, device, place, series: which, sketch } of sketches) {
      const labels = { name: dict[name] ?? '', model: dict[model], device: dict[device], place: dict[place] }
      series.row(labels).restore(which, sketch)
    }
  }

  const handOverAll = (): void => {
    handOver(kept.take(batchSpans), true)
    while (kept.size() > 0) handOver(kept.take(batchSpans), false)
  }

  const schedule = (delayMs: number): void => {
    cancelTick?.()
    cancelTick = clock.after(delayMs, tick)
  }

  const tick = (): void => {
    cancelTick = undefined
    hurried = false
    for (let i = 0; i < batchesPerTick && (i === 0 || kept.size() > 0); i++) {
      handOver(kept.take(batchSpans), i === 0)
    }
    if (kept.size() > 0) schedule(0)
  }

  /** Waits for the exporters to be through with everything they have, or for the deadline. */
  const within = (
    deadlineMs: number,
    more: readonly Promise<unknown>[] = [],
    late = (): void => {},
  ): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(
        deadlineMs,
        () => {
          late()
          resolve()
        },
        true,
      )
      void Promise.allSettled([...underway.values(), ...more]).then(() => {
        cancel()
        resolve()
      })
    })

  return {
    nudge() {
      if (exporters.length === 0) return
      if (cancelTick === undefined) schedule(options.flushIntervalMs)
      if (!hurried && kept.size() >= burst) {
        hurried = true
        schedule(0)
      }
    },
    ledger,
    async flush(deadlineMs) {
      if (closed || exporters.length === 0) return
      handOverAll()
      await within(deadlineMs)
    },
    exit() {
      if (closed || exporters.length === 0) return
      handOver([], true)
      for (const span of kept.take(kept.size()).sort((a, b) => worth(b) - worth(a))) kept.push(span)
      for (let i = 0; i < exitBatches && kept.size() > 0; i++) handOver(kept.take(exitBatchSpans), false)
      for (const exporter of exporters) exporter.exit?.()
    },
    async shutdown(deadlineMs) {
      cancelTick?.()
      recorder.close()
      if (exporters.length > 0) handOverAll()
      closed = true
      const given = new AbortController()
      const ended = exporters.map(async (exporter) => exporter.shutdown(given.signal))
      await within(deadlineMs, ended, () => given.abort())
      for (const batch of [...underway.keys()]) settle(batch, { delivered: 0, reason: 'shutdown' })
      drop(account, 'shutdown', kept.take(kept.size()).length)
    },
  }
}

/** The order at the page's end: what went wrong, then the slowest. */
function worth(span: Span): number {
  return span.outcome === 'ok' ? span.durationMs : Number.POSITIVE_INFINITY
}

/** A batch is delivered as far as every exporter took it; the one that took least says why. */
async function deliver(batch: Batch, exporters: readonly Exporter[]): Promise<Delivery> {
  const deliveries = await Promise.all(exporters.map((exporter) => attempt(batch, exporter)))
  const least = deliveries.reduce((a, b) => (b.delivered < a.delivered ? b : a))
  return { ...least, untried: deliveries.every(({ untried }) => untried === true) }
}

/** An exporter that breaks its promise never to throw loses its batch and nothing else. */
async function attempt(batch: Batch, exporter: Exporter): Promise<Delivery> {
  try {
    const delivery = await exporter.export(batch)
    const { delivered } = delivery
    return { ...delivery, delivered: delivered > 0 ? Math.min(batch.spans.n, Math.floor(delivered)) : 0 }
  } catch {
    return { delivered: 0 }
  }
}
