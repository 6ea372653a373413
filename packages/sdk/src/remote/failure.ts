import { type ErrorCode, InferenceError } from '../error.js'
import { shown } from './address.js'
import type { Exchange } from './exchange.js'

/** What a server says about a failure, in whichever form. */
interface Complaint {
  readonly text: string
  readonly code?: string | undefined
  readonly path?: string | undefined
}

/** Triton answers 500 for requests that can't be read. */
const tritonMisread = /^(?:\[request id: .*?\] )?(?:failed to parse|unable to parse)/i

/**
 * The error that an answer stands for. `data` holds `status`, `url`, and where the server says so `path`, `retryAfterMs`
 * and `serverCode`.
 */
export function failureOf(exchange: Exchange): InferenceError {
  const { status, url } = exchange
  const { text, code, path } = complaintOf(exchange)
  const retryAfterMs = readRetryAfter(exchange.headers.get('retry-after'))
  const data = {
    status,
    url: shown(url),
    ...(code === undefined ? {} : { serverCode: code }),
    ...(path === undefined ? {} : { path }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
  return new InferenceError(
    codeOf(status, code, text),
    `${shown(url)} answered ${status}: ${text}${hintFor(status, text)}`,
    { data },
  )
}

/** Whether an answer is a web page: a proxy's, or that of a host which answers every path. */
export function isPage({ headers, body }: Exchange): boolean {
  if (headers.get('content-type')?.includes('html')) return true
  return /^\s*<(?:!doctype|html)/i.test(textOf(body.subarray(0, 64)))
}

/** The error for a page where an answer should be. */
export function pageInstead({ url, status }: Exchange): InferenceError {
  return new InferenceError(
    'REMOTE',
    `${shown(url)} answered ${status} with a web page: it is no inference server, or a proxy stands before it; check the URL`,
    { data: { status, url: shown(url) } },
  )
}

function codeOf(status: number, code: string | undefined, text: string): ErrorCode {
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return 'INVALID_INPUT'
    case 404:
      return 'MODEL_NOT_FOUND'
    case 429:
      return 'QUEUE_FULL'
    case 501:
      return 'UNSUPPORTED'
    case 503:
      if (code === 'QUEUE_FULL' || code === 'DEADLINE') return code
      if (/maximum queue size/i.test(text)) return 'QUEUE_FULL'
      return /timeout expired/i.test(text) ? 'DEADLINE' : 'REMOTE'
    default:
      if (code === 'RUN_FAILED') return code
      return tritonMisread.test(text) ? 'INVALID_INPUT' : 'REMOTE'
  }
}

function hintFor(status: number, text: string): string {
  if (status === 401 || status === 403) return ' (credentials go into the option headers of remote())'
  if (status === 404 && !text.includes('/v2/models'))
    return ' (GET /v2/models lists what a Tandem or KServe server has)'
  return ''
}

/** Reads `{ error }` of Triton, KServe and ours, and FastAPI's `{ detail }`. */
function complaintOf(exchange: Exchange): Complaint {
  if (isPage(exchange))
    return { text: 'a web page instead of an answer; is the URL right, and does a proxy stand before it?' }
  const text = textOf(exchange.body.subarray(0, 16_384)).trim()
  if (text === '') return { text: 'nothing more' }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { text: excerpt(text) }
  }
  const { error, code, path, detail, message } = (body ?? {}) as Record<string, unknown>
  const said = [error, detail, message].find((part) => typeof part === 'string')
  return {
    text: typeof said === 'string' ? excerpt(said) : Array.isArray(detail) ? details(detail) : excerpt(text),
    code: typeof code === 'string' ? code : undefined,
    path: typeof path === 'string' ? path : undefined,
  }
}

function details(list: readonly unknown[]): string {
  const lines = list.map((entry) => {
    const { loc, msg } = (entry ?? {}) as { loc?: unknown; msg?: unknown }
    return `${Array.isArray(loc) ? loc.join('.') : ''} ${typeof msg === 'string' ? msg : JSON.stringify(entry)}`.trim()
  })
  return excerpt(lines.join('; '))
}

function excerpt(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Seconds, or an HTTP date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
