import { assemble } from './assemble.js'
import { type Clock, systemClock } from './clock.js'
import { openJournal } from './journal.node.js'
import { defaultLimits, type Limits } from './limits.js'
import { readPages } from './pages.node.js'
import { state as newState } from './state.js'

export interface CollectorOptions {
  /** Folder for what was collected; made when it is not there. */
  readonly dir: string
  /** Bounds that differ from `defaultLimits`. */
  readonly limits?: Partial<Limits> | undefined
  /** Replaces the system's clock, for tests. */
  readonly clock?: Clock | undefined
}

export interface Collector {
  /** Answers one request. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** Waits for what is being written, then lets go of the files. */
  close(): Promise<void>
}

/**
 * A collector on a folder, with everything that an earlier one acknowledged there.
 * @throws CollectorError FOLDER
 */
export async function collector(options: CollectorOptions): Promise<Collector> {
  const { dir, clock = systemClock } = options
  const limits = { ...defaultLimits, ...options.limits }
  const state = newState(limits)
  const [journal, pages] = await Promise.all([
    openJournal({ dir, limits, clock, take: state.replay }),
    readPages(),
  ])
  return { fetch: assemble({ journal, state, pages, limits, clock }), close: journal.close }
}
