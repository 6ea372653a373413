import { type Batch, type Column, type SketchRow, type SpanColumns, seriesNames } from './batch.js'
import { longestMs } from './bucket.js'
import { column } from './column.js'
import type { Row } from './series.js'
import { type ChildContext, type Span, stages } from './span.js'

const noParent = '0'.repeat(16)
const none = -1
const labels = ['name', 'kind', 'model', 'device', 'place', 'why', 'sync', 'outcome'] as const
const counts = ['batchSize', 'inputBytes', 'outputBytes'] as const

/** The place of a text in the batch's dictionary, −1 for none. */
type Index = (text: string | undefined) => number

type Encoded = Pick<Batch, 'dict' | 'sketches' | 'spans'>

/** The columns of a batch: the kept spans, and the figures of every row since the last batch, which this takes. */
export function encode(spans: readonly Span[], rows: readonly Row[], monoMs: number): Encoded {
  const dict: string[] = []
  const indices = new Map<string, number>()
  const index: Index = (text) => {
    // Not every object can be made a string, and none makes a label.
    if (text === undefined || typeof text === 'object' || typeof text === 'function') return none
    const known = indices.get(text)
    if (known !== undefined) return known
    indices.set(text, dict.length)
    return dict.push(String(text).slice(0, longestText)) - 1
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
        name: index(row.labels.name),
        model: index(row.labels.model),
        device: index(row.labels.device),
        place: index(row.labels.place),
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
  const each = <Name extends string>(names: readonly Name[], value: (span: Span, name: Name) => number) =>
    Object.fromEntries(names.map((name) => [name, numbers((span) => value(span, name))])) as {
      [N in Name]: Column<number>
    }
  const known = stages.filter((stage) => spans.some((span) => isTime(span.stages?.[stage])))
  const ids = (of: (context: ChildContext) => string): string =>
    spans.map((span) => of(span.context)).join('')
  return {
    n: spans.length,
    trace: ids(({ traceId }) => traceId),
    span: ids(({ spanId }) => spanId),
    parent: ids(({ parentSpanId }) => parentSpanId ?? noParent),
    start: numbers((span) => Math.round((span.startMs - monoMs) * 1000)),
    duration: numbers((span) => microseconds(span.durationMs)),
    ...each(labels, (span, label) => index(span[label])),
    ...each(counts, (span, count) => whole(span[count])),
    warm: numbers((span) => (span.warm === undefined ? none : Number(span.warm))),
    stages: each(known, (span, stage) => microseconds(span.stages?.[stage])),
  }
}

/** −1 for what is unknown or senseless: NaN and infinities have no JSON. */
function whole(value: number | null | undefined): number {
  return isTime(value) ? Math.round(value) : none
}

/** As long as a sketch counts it: beyond, a product may be no number any more. */
function microseconds(ms: number | null | undefined): number {
  return isTime(ms) ? Math.round(Math.min(ms, longestMs) * 1000) : none
}

function isTime(value: number | null | undefined): value is number {
  return Number.isFinite(value) && Number(value) >= 0
}
