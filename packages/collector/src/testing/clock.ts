import type { Clock } from '../clock.js'

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /** Moves on, and calls back what falls due. */
  advance(ms: number): void
  /** How many wait to be called back. */
  waiting(): number
}

export function manualClock(startMs = 1_700_000_000_000): ManualClock {
  let nowMs = startMs
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>()
  return {
    now: () => nowMs,
    after(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      nowMs += ms
      for (const timer of [...timers].sort((a, b) => a.atMs - b.atMs)) {
        if (timer.atMs <= nowMs && timers.delete(timer)) timer.callback()
      }
    },
    waiting: () => timers.size,
  }
}
