import type uPlot from 'uplot'
import type { ChartedSeries } from '../src/series.js'

const minuteMs = 60_000

/** Columns for uPlot: seconds, then one line a series. A silent minute breaks the lines rather than bridging it. */
export function columnsOf(
  minutes: readonly number[],
  lines: readonly ChartedSeries[],
  figure: 'p50' | 'p95',
): uPlot.AlignedData {
  const times: number[] = []
  const values: (number | null)[][] = lines.map(() => [])
  minutes.forEach((minute, i) => {
    const before = minutes[i - 1]
    if (before !== undefined && minute - before > minuteMs) {
      times.push((before + minuteMs) / 1000)
      for (const column of values) column.push(null)
    }
    times.push(minute / 1000)
    for (const [at, line] of lines.entries()) values[at]?.push(line[figure][i] ?? null)
  })
  return [times, ...values]
}
