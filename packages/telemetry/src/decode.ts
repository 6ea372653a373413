import type { Batch, Column } from './batch.js'
import { longestMs } from './bucket.js'
import { at } from './column.js'
import { type Stage, stages } from './span.js'

/** A span as it came over the wire. Times in milliseconds; `startMs` is wall time since 1970 by the sender's clock. */
export interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: string
  readonly startMs: number
  readonly durationMs: number
  readonly stages: { readonly [S in Stage]?: number }
  readonly model: string | undefined
  readonly device: string | undefined
  readonly place: string | undefined
  readonly why: string | undefined
  readonly sync: string | undefined
  readonly outcome: string
  readonly batchSize: number | undefined
  readonly inputBytes: number | undefined
  readonly outputBytes: number | undefined
  readonly warm: boolean | undefined
}

export interface DecodedSpans {
  readonly spans: readonly WireSpan[]
  /** Spans left out for being malformed: a bad id, an index outside the dictionary, a time that is none. */
  readonly rejected: number
}

/** The spans of a batch whose structure `validateBatch` has checked. One malformed span is left out and counted; the others stay. */
export function decodeSpans(batch: Batch): DecodedSpans {
  const { spans: columns, dict, anchor } = batch
  const stageColumns = stages.flatMap((stage) => {
    const column = columns.stages[stage]
    return column === undefined ? [] : [{ stage, column }]
  })
  const spans: WireSpan[] = []
  for (let i = 0; i < columns.n; i++) {
    const traceId = columns.trace.slice(i * 32, i * 32 + 32)
    const spanId = columns.span.slice(i * 16, i * 16 + 16)
    const parent = columns.parent.slice(i * 16, i * 16 + 16)
    const start = at(columns.start, i)
    const duration = at(columns.duration, i)
    const text = (column: Column<number>): string | undefined => dict[at(column, i)]
    const label = (column: Column<number>): string | undefined | false => {
      const index = at(column, i)
      return index === -1 ? undefined : (dict[index] ?? false)
    }
    const name = text(columns.name)
    const kind = text(columns.kind)
    const outcome = text(columns.outcome)
    const model = label(columns.model)
    const device = label(columns.device)
    const place = label(columns.place)
    const why = label(columns.why)
    const sync = label(columns.sync)
    if (name === undefined || kind === undefined || outcome === undefined) continue
    if (model === false || device === false || place === false || why === false || sync === false) continue
    if (!isId(traceId) || !isId(spanId) || !hex.test(parent)) continue
    if (!(Math.abs(start) <= longestUs) || !isTime(duration)) continue
    const times: { [S in Stage]?: number } = {}
    for (const { stage, column } of stageColumns) {
      const time = at(column, i)
      if (isTime(time)) times[stage] = time / 1000
    }
    const warm = at(columns.warm, i)
    spans.push({
      traceId,
      spanId,
      parentSpanId: isId(parent) ? parent : undefined,
      name,
      kind,
      startMs: anchor.wallMs + start / 1000,
      durationMs: duration / 1000,
      stages: times,
      model,
      device,
      place,
      why,
      sync,
      outcome,
      batchSize: known(at(columns.batchSize, i)),
      inputBytes: known(at(columns.inputBytes, i)),
      outputBytes: known(at(columns.outputBytes, i)),
      warm: warm === 1 ? true : warm === 0 ? false : undefined,
    })
  }
  return { spans, rejected: columns.n - spans.length }
}

const hex = /^[0-9a-f]+$/
const allZeros = /^0+$/

function isId(id: string): boolean {
  return hex.test(id) && !allZeros.test(id)
}

const longestUs = longestMs * 1000

/** Microseconds: longer ones, which a stranger may send, would make sums and dates that are none. */
function isTime(us: number): boolean {
  return us >= 0 && us <= longestUs
}

function known(count: number): number | undefined {
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined
}
