/** Milliseconds with three figures that matter: 0.123, 4.56, 78.9, 1234. */
export function ms(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–'
  if (value === 0) return '0'
  if (value < 0.001) return '< 0.001'
  const digits = Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(value))))
  return value.toFixed(digits)
}

/** A difference as a number that says its size: 0, 3.1e-7, 0.62. */
export function off(value: number): string {
  if (value === 0) return '0'
  if (!Number.isFinite(value)) return 'not comparable'
  return value < 0.01 ? value.toExponential(1) : value.toFixed(2)
}

export function seconds(value: number): string {
  return `${value.toFixed(1)} s`
}

export function percent(value: number): string {
  return `${Math.round(100 * value)} %`
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}
