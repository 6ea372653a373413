import { type Series, type SketchData, seriesNames } from './batch.js'
import { Sketch } from './sketch.js'
import type { Span } from './span.js'

/** What the figures are kept apart by. */
export interface Labels {
  readonly name: string
  readonly model?: string | undefined
  readonly device?: string | undefined
  readonly place?: string | undefined
}

/** Where these two stand in `seriesNames`. */
const total = 0
const unattributed = seriesNames.length - 1

/** One sketch of what came since the last batch, one of all that came before it: recording touches the first only. */
interface Pair {
  readonly fresh: Sketch
  readonly past: Sketch
}

/** All series of one (name, model, device, place). */
export class Row {
  readonly labels: Labels
  /** When the first of its calls began and the last ended, monotonic ms. */
  firstMs: number = Number.POSITIVE_INFINITY
  lastMs: number = Number.NEGATIVE_INFINITY
  /** In the order of `seriesNames`; made when a value comes. */
  readonly pairs: (Pair | undefined)[] = seriesNames.map(() => undefined)

  constructor({ name, model, device, place }: Labels) {
    this.labels = { name, model, device, place }
  }

  /** Whether it is the row of these labels. */
  is(labels: Labels): boolean {
    const own = this.labels
    return (
      own.name === labels.name &&
      own.model === labels.model &&
      own.device === labels.device &&
      own.place === labels.place
    )
  }

  record(span: Span): void {
    const { startMs, durationMs } = span
    if (startMs < this.firstMs) this.firstMs = startMs
    if (startMs + durationMs > this.lastMs) this.lastMs = startMs + durationMs
    this.put(total, durationMs)
    const times = span.stages
    if (!times) return
    // Written out, for reading seven properties by computed names costs more than the sketches.
    const known =
      this.put(1, times.queue) +
      this.put(2, times.preprocess) +
      this.put(3, times.input) +
      this.put(4, times.inference) +
      this.put(5, times.output) +
      this.put(6, times.postprocess) +
      this.put(7, times.network)
    // Rounding of the clock can make the stages a little longer than the whole.
    if (known > 0) this.put(unattributed, durationMs > known ? durationMs - known : 0)
  }

  /** Takes a time if it is one, and returns what it explains. */
  private put(series: number, ms: number | null | undefined): number {
    if (ms === undefined || ms === null) return 0
    const pair = this.pairs[series] ?? this.open(series)
    return pair.fresh.record(ms) ? ms : 0
  }

  private open(series: number): Pair {
    const pair = { fresh: new Sketch(), past: new Sketch() }
    this.pairs[series] = pair
    return pair
  }

  /** Puts figures back that were taken for a batch which was never sent. */
  restore(series: Series, data: SketchData): void {
    const index = seriesNames.indexOf(series)
    ;(this.pairs[index] ?? this.open(index)).fresh.merge(data)
  }
}

/** The name of the row that takes what comes once `capacity` rows exist: no set of labels can grow the memory without bound. */
const overflowName = '(overflow)'

export interface SeriesTable {
  /** The row of these labels, made on first sight. */
  row(labels: Labels): Row
  readonly rows: readonly Row[]
}

export function seriesTable(capacity: number): SeriesTable {
  const rows: Row[] = []
  const byName = new Map<string, Map<string | undefined, Row[]>>()
  let overflow: Row | undefined
  let last: Row | undefined

  const make = (labels: Labels): Row => {
    const row = new Row(labels)
    rows.push(row)
    return row
  }

  return {
    rows,
    row(labels) {
      // Calls come in runs of one kind.
      if (last?.is(labels)) return last
      const models = byName.get(labels.name) ?? new Map<string | undefined, Row[]>()
      const alike = models.get(labels.model) ?? []
      const found = alike.find((row) => row.is(labels))
      if (found !== undefined) {
        last = found
        return found
      }
      if (rows.length >= capacity) {
        overflow ??= make({ name: overflowName })
        return overflow
      }
      last = make(labels)
      byName.set(labels.name, models.set(labels.model, [...alike, last]))
      return last
    },
  }
}
