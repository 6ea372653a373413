import { longestDelayMs } from '../delay.js'
import { InferenceError } from '../error.js'
import { shown } from './address.js'

/** How long an answer may take, and who says so. */
export interface Limit {
  readonly leftMs: number
  readonly totalMs: number
  /** The caller's deadline ends the call; our own timeout says that the server is not there. */
  readonly by: 'deadlineMs' | 'timeoutMs'
}

/** One HTTP request, and what ends it early. */
export interface ExchangeRequest {
  readonly fetch: typeof fetch
  readonly url: string
  readonly method: 'GET' | 'POST'
  /** Asked here, so that what ends the request early ends the asking too. */
  readonly headers: () => Record<string, string> | Promise<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  readonly signal?: AbortSignal | undefined
  readonly limit: Limit
}

export interface Exchange {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer>
}

/**
 * Sends a request and reads the whole answer, whatever its status. Settles on abort and deadline at once, even if `fetch` does not.
 * @throws `signal.reason`; InferenceError DEADLINE for the caller's, REMOTE where no answer came otherwise
 */
export function exchange(request: ExchangeRequest): Promise<Exchange> {
  const { signal, limit } = request
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const cancel = new AbortController()
    const stop = (reason: unknown): void => {
      reject(reason)
      cancel.abort(reason)
    }
    const onAbort = (): void => stop(signal?.reason)
    const timer = setTimeout(() => stop(late(request)), Math.min(limit.leftMs, longestDelayMs))
    signal?.addEventListener('abort', onAbort)
    send(request, cancel.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      })
  })
}

async function send(request: ExchangeRequest, signal: AbortSignal): Promise<Exchange> {
  const { url, method, body } = request
  let headers: Record<string, string>
  try {
    headers = await request.headers()
  } catch (error) {
    throw unreachable(url, `the option headers of remote() failed (${reasonOf(error)})`, error)
  }
  // Nobody waits any more, and what was asked of the caller may have taken its time.
  signal.throwIfAborted()
  let response: Response
  try {
    response = await request.fetch(url, { method, headers, signal, ...(body ? { body } : {}) })
  } catch (error) {
    const hint = 'is the server running, and reachable from here? A page also needs its CORS headers'
    throw unreachable(url, `${method} ${shown(url)} failed (${reasonOf(error)}): ${hint}`, error)
  }
  try {
    const answer = new Uint8Array(await response.arrayBuffer())
    return { url, status: response.status, headers: response.headers, body: answer }
  } catch (error) {
    throw unreachable(
      url,
      `the connection to ${shown(url)} broke while its answer arrived (${reasonOf(error)})`,
      error,
    )
  }
}

function late({ url, limit: { totalMs, by } }: ExchangeRequest): InferenceError {
  const text = `no answer from ${shown(url)} within ${totalMs} ms`
  if (by === 'timeoutMs')
    return unreachable(url, `${text} (timeoutMs of remote()): is the server overloaded?`)
  return new InferenceError('DEADLINE', `${text}: allow more by deadlineMs, or send less`, {
    data: { url: shown(url), deadlineMs: totalMs },
  })
}

function unreachable(url: string, message: string, cause?: unknown): InferenceError {
  return new InferenceError('REMOTE', message, { cause, data: { url: shown(url) } })
}

/** Node says «fetch failed» and keeps the reason in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const { code } = cause as { code?: unknown }
  return cause.message || (typeof code === 'string' ? code : error.message)
}
