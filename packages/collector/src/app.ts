import { Hono } from 'hono'
import type { Clock } from './clock.js'
import { CollectorError } from './error.js'
import { failure, finished, json, preflight } from './http.js'
import type { Page } from './page.js'
import { readFilter, readLimit } from './query.js'
import type { State } from './state.js'

const usualTraces = 50
const mostTraces = 500
const mostInstances = 200

export interface AppOptions {
  readonly state: State
  readonly clock: Clock
  /** Takes a posted batch and answers once it is safe. */
  readonly ingest: (request: Request) => Promise<Response>
  readonly health: () => Record<string, unknown>
  /** The dashboard's files by path. */
  readonly pages: ReadonlyMap<string, Page>
}

/** The collector's HTTP face: every path and method that it has, in one place. */
export function app({
  state,
  clock,
  ingest,
  health,
  pages,
}: AppOptions): (request: Request) => Promise<Response> {
  const routes = new Hono()
  const params = (request: Request) => new URL(request.url).searchParams

  const get = (path: string, answer: (request: Request, tail: string) => Response) => {
    routes.get(path, (c) => answer(c.req.raw, c.req.param('tail') ?? ''))
    only(path, 'GET, HEAD, OPTIONS')
  }
  const only = (path: string, allow: string) => {
    routes.options(path, () => preflight(allow))
    routes.all(path, () => {
      const response = failure(new CollectorError('METHOD', `this path takes ${allow}`))
      response.headers.set('allow', allow)
      return response
    })
  }

  routes.post('/v1/batch', (c) => ingest(c.req.raw))
  only('/v1/batch', 'POST, OPTIONS')

  get('/v1/summary', (request) => json(state.series.summary(readFilter(params(request), clock))))
  get('/v1/timeseries', (request) => json(state.series.timeseries(readFilter(params(request), clock))))
  get('/v1/ledger', () => json(state.ledgers.answer(mostInstances)))
  get('/v1/traces', (request) => {
    const limit = readLimit(params(request), usualTraces, mostTraces)
    return json({ traces: state.traces.recent(limit) })
  })
  get('/v1/traces/:tail', (_, traceId) => {
    const trace = state.traces.get(traceId.toLowerCase())
    if (trace !== undefined) return json(trace)
    throw new CollectorError('NOT_FOUND', 'no such trace: it was never kept, or made place for later ones')
  })
  get('/healthz', () => json(health()))
  for (const [path, page] of pages) {
    get(path, () => new Response(page.body, { headers: page.headers }))
  }

  routes.notFound(() =>
    failure(new CollectorError('NOT_FOUND', 'no such path: see GET / and POST /v1/batch')),
  )
  routes.onError(failure)
  return async (request) => finished(await routes.fetch(request), new URL(request.url).pathname)
}
