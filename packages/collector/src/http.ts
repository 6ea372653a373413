import { CollectorError, collectorErrors } from './error.js'

/** Seconds after which a client may try again: a full queue empties in no time, a full disk does not. */
const retryAfterS = { OVERLOADED: 1, STORAGE: 5 }

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  // A page that is isolated, for wasm threads, may otherwise read nothing.
  'cross-origin-resource-policy': 'cross-origin',
}

/** A page somewhere on the web must not read the figures of a collector on its visitor's own machine. */
const sameOrigin = { 'cross-origin-resource-policy': 'same-origin' }

/** Where pages of any origin may send, and read the answer. */
const open: ReadonlySet<string> = new Set(['/v1/batch', '/healthz'])

/** Puts what every answer carries, errors included, on this one. */
export function finished(response: Response, path: string): Response {
  const headers = { ...everywhere, ...(open.has(path) ? anyOrigin : sameOrigin) }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}

/** Answers a preflight. A `text/plain` post needs none. */
export function preflight(allow: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'content-type, content-encoding, traceparent, idempotency-key',
      'access-control-max-age': '7200',
    },
  })
}

/** `{ error: { code, message, path? } }`, with Retry-After where trying again helps. */
export function failure(thrown: unknown): Response {
  // What nobody foresaw may hold a path or a secret in its message, so it stays here.
  const error =
    thrown instanceof CollectorError
      ? thrown
      : new CollectorError('INTERNAL', 'the collector failed on this request: please report it')
  const { code, message, path } = error
  const response = json(
    { error: path === undefined ? { code, message } : { code, message, path } },
    collectorErrors[code],
  )
  if (code === 'OVERLOADED' || code === 'STORAGE')
    response.headers.set('retry-after', String(retryAfterS[code]))
  return response
}
