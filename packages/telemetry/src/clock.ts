/** Time, as the recorder sees it. Injected in tests. */
export interface Clock {
  /** Monotonic milliseconds: `performance.now()`. */
  now(): number
  /** Milliseconds since 1970. */
  wall(): number
  /**
   * Calls back once, `delayMs` later, and never on the caller's tick; the returned function cancels. Only with `keepAlive` does
   * the wait by itself keep a Node process running.
   */
  after(delayMs: number, callback: () => void, keepAlive?: boolean): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
