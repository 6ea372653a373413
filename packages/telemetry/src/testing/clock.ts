import type { Clock } from '../clock.js'

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves on by so many milliseconds, calling back on the way what falls due, in order. */
  advance(ms: number): void
  /** Sets the wall clock alone, as a user or a network time server does. */
  setWall(wallMs: number): void
  /** How long from now each waiting callback has to wait, the next one first. */
  waiting(): readonly number[]
}

export function manualClock(startMs = 1000, startWallMs = 1_750_000_000_000): ManualClock {
  let nowMs = startMs
  let wallOffsetMs = startWallMs - startMs
  let timers: { readonly atMs: number; readonly callback: () => void }[] = []
  return {
    now: () => nowMs,
    wall: () => nowMs + wallOffsetMs,
    after(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback }
      timers = [...timers, timer].sort((a, b) => a.atMs - b.atMs)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      const until = nowMs + ms
      for (let next = timers[0]; next !== undefined && next.atMs <= until; next = timers[0]) {
        timers = timers.slice(1)
        nowMs = Math.max(nowMs, next.atMs)
        next.callback()
      }
      nowMs = until
    },
    setWall(wallMs) {
      wallOffsetMs = wallMs - nowMs
    },
    waiting: () => timers.map(({ atMs }) => atMs - nowMs),
  }
}
