const minuteMs = 60_000

/**
 * Whether a call that ended at `endMs` is among the slowest `perMinute` of its minute so far, so that there is always an example
 * of the tail. Decided at once, without holding spans back: of n calls in random order about k · (1 + ln(n/k)) pass, not k.
 */
export function slowestPerMinute(perMinute: number): (endMs: number, durationMs: number) => boolean {
  let minute = Number.NaN
  let slowest: number[] = []
  let floor = -1
  return (endMs, durationMs) => {
    const its = Math.floor(endMs / minuteMs)
    if (its !== minute) {
      minute = its
      slowest = []
      floor = perMinute < 1 ? Number.POSITIVE_INFINITY : -1
    }
    if (durationMs <= floor) return false
    if (slowest.length < perMinute) slowest.push(durationMs)
    else slowest[slowest.indexOf(floor)] = durationMs
    if (slowest.length >= perMinute) floor = Math.min(...slowest)
    return true
  }
}
