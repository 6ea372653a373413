import { app } from './app.js'
import type { Clock } from './clock.js'
import { ingest } from './ingest.js'
import type { Journal } from './journal.js'
import type { Limits } from './limits.js'
import type { Page } from './page.js'
import { byteQueue } from './queue.js'
import type { State } from './state.js'

export interface Parts {
  readonly journal: Journal
  /** Already holds what the journal replayed. */
  readonly state: State
  readonly pages: ReadonlyMap<string, Page>
  readonly limits: Limits
  readonly clock: Clock
}

/** The collector of its parts, on whatever keeps the journal. */
export function assemble({
  journal,
  state,
  pages,
  limits,
  clock,
}: Parts): (request: Request) => Promise<Response> {
  const queue = byteQueue(limits.queueBytes)
  const startedMs = clock.now()
  return app({
    state,
    clock,
    pages,
    ingest: ingest({ state, journal, queue, limits, clock }),
    health: () => ({
      status: 'ok',
      uptimeMs: clock.now() - startedMs,
      ...state.counts(),
      queuedBytes: queue.held(),
      journal: journal.size(),
      replayed: journal.replayed,
    }),
  })
}
