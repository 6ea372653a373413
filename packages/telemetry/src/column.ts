import type { Column } from './batch.js'

/** A column whose values are all the same is written once. */
export function column(values: number[]): Column<number> {
  const [first] = values
  return first !== undefined && values.every((value) => value === first) ? first : values
}

/** The value of row `i`; NaN beyond the end. */
export function at(column: Column<number>, i: number): number {
  return typeof column === 'number' ? column : (column[i] ?? Number.NaN)
}
