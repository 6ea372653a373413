import { type Series, seriesNames } from './batch.js'
import type { Labels, SeriesTable } from './series.js'
import { Sketch, type SketchStats } from './sketch.js'

/** Which calls to look at: all that match. */
export interface StatsQuery {
  readonly name?: string | undefined
  readonly model?: string | undefined
  readonly device?: string | undefined
  readonly place?: string | undefined
  /** A stage, `unattributed`, or `total`, which is the default. */
  readonly stage?: Series | undefined
}

/** Milliseconds, over everything recorded since the recorder started, sampled out or not. NaN where there is none. */
export interface Stats extends SketchStats {
  /** Calls a second, between the start of the first and the end of the last. */
  readonly throughput: number
}

export function statsOf(table: SeriesTable, query: StatsQuery): Stats {
  const index = seriesNames.indexOf(query.stage ?? 'total')
  const merged = new Sketch()
  let firstMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  for (const row of table.rows) {
    if (!matches(row.labels, query)) continue
    const pair = row.pairs[index]
    if (pair === undefined) continue
    merged.merge(pair.past)
    merged.merge(pair.fresh)
    firstMs = Math.min(firstMs, row.firstMs)
    lastMs = Math.max(lastMs, row.lastMs)
  }
  const stats = merged.stats()
  return { ...stats, throughput: lastMs > firstMs ? (stats.count * 1000) / (lastMs - firstMs) : Number.NaN }
}

function matches(row: Labels, query: StatsQuery): boolean {
  const names = ['name', 'model', 'device', 'place'] as const
  return names.every((name) => query[name] === undefined || query[name] === row[name])
}
