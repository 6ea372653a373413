import { type Clock, systemClock } from './clock.js'

/** Timers that do not keep a process running which has nothing else to do. */
export const nodeClock: Clock = {
  ...systemClock,
  after(delayMs, callback, keepAlive = false) {
    const timer = setTimeout(callback, delayMs)
    if (!keepAlive) timer.unref()
    return () => clearTimeout(timer)
  },
}
