/** A number in browsers, an object in Node: only ever handed back. */
export interface Timer {
  readonly [Symbol.toPrimitive]?: unknown
}

/** Where time comes from; injected in tests. */
export interface Clock {
  now(): number
  setTimeout(callback: () => void, delayMs: number): Timer
  clearTimeout(timer: Timer): void
}

/** The platform's own clock. */
export const realClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer),
}

/** `performance.now()` starts anew in each page, worker and thread; counted from their origins they agree. */
const origin = performance.timeOrigin

/** A clock that pages, workers and threads agree on, in ms. */
export function sharedNow(): number {
  return origin + performance.now()
}
