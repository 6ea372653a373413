import { realClock } from './clock.js'
import { type Endpoint, neverBegan, type Realm, realm } from './realm.js'

/** Which realm a session can live in: same key, same runtime file and settings. */
export interface Realms {
  take(key: string, start: () => Endpoint): Realm
  /** Gives a session's place back. With `reclaim` an empty realm is ended, and its memory is free again. */
  give(used: Realm, reclaim: boolean): void
}

export interface RealmsOptions {
  /** Sessions of one key share a realm (browsers: one runtime, one download). Else each has its own (Node: they run side by side). */
  readonly shared: boolean
}

/** The realms of this thread. One empty realm per key is kept warm, any more are ended. */
export function realms({ shared }: RealmsOptions): Realms {
  const open = new Map<Realm, string>()

  const find = (key: string): Realm | undefined => {
    for (const [candidate, has] of open) {
      if (has === key && !candidate.crashed && (shared || candidate.sessions === 0)) return candidate
    }
    return undefined
  }

  return {
    take(key, start) {
      const found = find(key) ?? realm(begun(start), realClock)
      open.set(found, key)
      found.sessions++
      return found
    },
    give(used, reclaim) {
      const key = open.get(used)
      used.sessions--
      if (used.sessions > 0 || key === undefined) return
      const spare = [...open].some(([other, has]) => other !== used && has === key && other.sessions === 0)
      if (!reclaim && !spare && !used.crashed) return
      open.delete(used)
      used.close()
    },
  }
}

/** A worker can't be made of a relative URL in Node, or in browsers of a script from another origin. */
function begun(start: () => Endpoint): Endpoint {
  try {
    return start()
  } catch (cause) {
    throw neverBegan(String(cause), cause)
  }
}
