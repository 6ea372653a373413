/** Milliseconds with three figures that count, in seconds from ten of them. */
export function ms(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  if (value >= 10_000) return `${(value / 1000).toFixed(value >= 100_000 ? 0 : 1)} s`
  if (value >= 100) return `${value.toFixed(0)} ms`
  if (value >= 10) return `${value.toFixed(1)} ms`
  if (value >= 1 || value === 0) return `${value.toFixed(2)} ms`
  return value >= 0.001 ? `${value.toFixed(3)} ms` : '< 1 µs'
}

const grouped = new Intl.NumberFormat('en')

export function count(value: number): string {
  return grouped.format(value)
}

/** 0…1 as a percentage. */
export function share(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const percent = value * 100
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`
}

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})

/** Local time of day. */
export function time(epochMs: number): string {
  return clock.format(epochMs)
}

const clockMinutes = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** Local time of day, to the minute. */
export function minute(epochMs: number): string {
  return clockMinutes.format(epochMs)
}
