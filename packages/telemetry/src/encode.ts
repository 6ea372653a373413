import type { Batch, Column, SketchRow, SpanColumns } from './batch.js'
import { type Row, seriesNames } from './series.js'
import { type Span, type Stage, stages } from './span.js'

const noParent = '0'.repeat(16)
const none = -1

type Encoded = Pick<Batch, 'dict' | 'sketches' | 'spans'>

/** The columns of a batch: the kept spans, and the figures of every row since the last batch, which this takes. */
export function encode(spans: readonly Span[], rows: readonly Row[], monoMs: number): Encoded {
  const dict: string[] = []
  const indices = new Map<string, number>()
  const index = (text: string | undefined): number => {
    if (text === undefined) return none
    const known = indices.get(text)
    if (known !== undefined) return known
    indices.set(text, dict.length)
    return dict.push(text.slice(0, longestText)) - 1
  }
  return { sketches: takeSketches(rows, index), spans: columns(spans, monoMs, index), dict }
}

/** Characters of a name or label; the collector refuses more. */
const longestText = 256

function takeSketches(rows: readonly Row[], index: (text: string | undefined) => number): SketchRow[] {
  const taken: SketchRow[] = []
  for (const row of rows) {
    for (const [i, pair] of row.pairs.entries()) {
      const series = seriesNames[i]
      if (pair === undefined || series === undefined || pair.fresh.count === 0) continue
      taken.push({
        name: index(row.name),
        model: index(row.model),
        device: index(row.device),
        place: index(row.place),
        series,
        sketch: pair.fresh.toData(),
      })
      pair.past.merge(pair.fresh)
      pair.fresh.clear()
    }
  }
  return taken
}

function columns(
  spans: readonly Span[],
  monoMs: number,
  index: (text: string | undefined) => number,
): SpanColumns {
  const column = (value: (span: Span) => number): Column<number> => collapse(spans.map(value))
  const times: { [S in Stage]?: Column<number> } = {}
  for (const stage of stages) {
    const values = column((span) => microseconds(span.stages?.[stage]))
    if (values !== none && !(Array.isArray(values) && values.length === 0)) times[stage] = values
  }
  return {
    n: spans.length,
    trace: spans.map((span) => span.context.traceId).join(''),
    span: spans.map((span) => span.context.spanId).join(''),
    parent: spans.map((span) => span.context.parentSpanId ?? noParent).join(''),
    start: column((span) => Math.round((span.startMs - monoMs) * 1000)),
    duration: column((span) => microseconds(span.durationMs)),
    name: column((span) => index(span.name)),
    kind: column((span) => index(span.kind)),
    model: column((span) => index(span.model)),
    device: column((span) => index(span.device)),
    place: column((span) => index(span.place)),
    why: column((span) => index(span.why)),
    sync: column((span) => index(span.sync)),
    outcome: column((span) => index(span.outcome)),
    batchSize: column((span) => count(span.batchSize)),
    inputBytes: column((span) => count(span.inputBytes)),
    outputBytes: column((span) => count(span.outputBytes)),
    warm: column((span) => (span.warm === undefined ? none : Number(span.warm))),
    stages: times,
  }
}

/** A column whose values are all the same is written once. */
function collapse(values: number[]): Column<number> {
  const [first] = values
  return first !== undefined && values.every((value) => value === first) ? first : values
}

/** Whole microseconds; −1 for what is unknown or not a time, since NaN and infinities have no JSON. */
function microseconds(ms: number | null | undefined): number {
  return ms !== undefined && ms !== null && ms >= 0 && ms < Number.POSITIVE_INFINITY
    ? Math.round(ms * 1000)
    : none
}

function count(value: number | undefined): number {
  return value !== undefined && value >= 0 && value < Number.POSITIVE_INFINITY ? Math.round(value) : none
}
