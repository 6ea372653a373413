/** The smallest value that at least `q` (0 … 1) of the values do not exceed: exact, by nearest rank. `sorted` ascends and is not empty. */
function percentile(sorted: Float64Array, q: number): number {
  const rank = Math.max(1, Math.ceil(q * sorted.length))
  return sorted[rank - 1] ?? Number.NaN
}

export interface Figures {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Undefined for no values. */
export function figures(values: readonly number[]): Figures | undefined {
  if (values.length === 0) return undefined
  const sorted = Float64Array.from(values).sort()
  return {
    count: sorted.length,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    max: percentile(sorted, 1),
  }
}
