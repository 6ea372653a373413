const readable = [
  'inference-header-content-length',
  'retry-after',
  'server-timing',
  'traceparent',
  'x-request-id',
]

const sendable = [
  'content-type',
  'content-encoding',
  'inference-header-content-length',
  'traceparent',
  'tracestate',
  'x-request-id',
  'authorization',
]

const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': readable.join(', '),
  // Without these two a page sees no durations, and one that is isolated (for wasm threads) may read nothing at all.
  'timing-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Lets pages of any origin read an answer. */
export function allowPages(request: Request, answer: Response): Response {
  for (const [name, value] of Object.entries(anyOrigin)) answer.headers.set(name, value)
  if (request.headers.get('access-control-request-private-network') === 'true') {
    answer.headers.set('access-control-allow-private-network', 'true')
  }
  return answer
}

/** The answer to OPTIONS, a page's preflight or not. Whatever header a page wants to send, it may. */
export function preflight(request: Request, methods: string): Response {
  const asked = (request.headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))
  const headers = {
    allow: methods,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [...new Set([...sendable, ...asked])].join(', '),
    'access-control-max-age': '7200',
  }
  return new Response(null, { status: 204, headers })
}
