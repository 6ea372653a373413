import type { Batch, Column, SketchRow, SpanColumns } from './batch.js'
import { column } from './column.js'
import { type Row, seriesNames } from './series.js'
import { type Span, type Stage, stages } from './span.js'

const noParent = '0'.repeat(16)
const none = -1

/** The place of a text in the batch's dictionary, −1 for none. */
type Index = (text: string | undefined) => number

type Encoded = Pick<Batch, 'dict' | 'sketches' | 'spans'>

/** The columns of a batch: the kept spans, and the figures of every row since the last batch, which this takes. */
export function encode(spans: readonly Span[], rows: readonly Row[], monoMs: number): Encoded {
  const dict: string[] = []
  const indices = new Map<string, number>()
  const index: Index = (text) => {
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

function takeSketches(rows: readonly Row[], index: Index): SketchRow[] {
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

function columns(spans: readonly Span[], monoMs: number, index: Index): SpanColumns {
  const numbers = (value: (span: Span) => number): Column<number> => column(spans.map(value))
  const labels = (label: 'name' | 'kind' | 'model' | 'device' | 'place' | 'why' | 'sync' | 'outcome') =>
    numbers((span) => index(span[label]))
  const counts = (count: 'batchSize' | 'inputBytes' | 'outputBytes') => numbers((span) => whole(span[count]))
  const times: { [S in Stage]?: Column<number> } = {}
  for (const stage of stages) {
    if (spans.some((span) => isTime(span.stages?.[stage]))) {
      times[stage] = numbers((span) => whole(span.stages?.[stage], 1000))
    }
  }
  return {
    n: spans.length,
    trace: spans.map((span) => span.context.traceId).join(''),
    span: spans.map((span) => span.context.spanId).join(''),
    parent: spans.map((span) => span.context.parentSpanId ?? noParent).join(''),
    start: numbers((span) => Math.round((span.startMs - monoMs) * 1000)),
    duration: numbers((span) => whole(span.durationMs, 1000)),
    name: labels('name'),
    kind: labels('kind'),
    model: labels('model'),
    device: labels('device'),
    place: labels('place'),
    why: labels('why'),
    sync: labels('sync'),
    outcome: labels('outcome'),
    batchSize: counts('batchSize'),
    inputBytes: counts('inputBytes'),
    outputBytes: counts('outputBytes'),
    warm: numbers((span) => (span.warm === undefined ? none : Number(span.warm))),
    stages: times,
  }
}

/** −1 for what is unknown or senseless: NaN and infinities have no JSON. */
function whole(value: number | null | undefined, times = 1): number {
  return isTime(value) ? Math.round(value * times) : none
}

function isTime(value: number | null | undefined): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
}
