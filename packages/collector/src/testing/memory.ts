import { assemble } from '../assemble.js'
import { type Clock, systemClock } from '../clock.js'
import type { Entry, Journal } from '../journal.js'
import { defaultLimits, type Limits } from '../limits.js'
import { state as newState, type State } from '../state.js'

/** A journal that is gone with the process. */
export function memoryJournal(entries: Entry[] = []): Journal {
  return {
    replayed: { entries: 0, corrupt: 0, torn: 0 },
    async append(entry) {
      entries.push(entry)
    },
    size: () => ({ segments: 1, bytes: entries.reduce((sum, { text }) => sum + text.length, 0) }),
    async close() {},
  }
}

export interface MemoryCollector {
  fetch(request: Request): Promise<Response>
  /** What it knows, without going through HTTP. */
  readonly state: State
}

/** A collector without a disk, on any platform. */
export function memoryCollector(
  options: { limits?: Partial<Limits>; clock?: Clock; journal?: Journal } = {},
): MemoryCollector {
  const { clock = systemClock, journal = memoryJournal() } = options
  const limits = { ...defaultLimits, ...options.limits }
  const state = newState(limits)
  return { state, fetch: assemble({ journal, state, pages: new Map(), limits, clock }) }
}
