/** What can go wrong, and the HTTP status that says so. `FOLDER` and `PORT_IN_USE` come from starting, never over HTTP. */
export const collectorErrors = {
  INVALID_BATCH: 400,
  INVALID_QUERY: 400,
  NOT_FOUND: 404,
  METHOD: 405,
  TIMEOUT: 408,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA: 415,
  OVERLOADED: 429,
  INTERNAL: 500,
  STORAGE: 503,
  FOLDER: 500,
  PORT_IN_USE: 500,
} as const

export type CollectorErrorCode = keyof typeof collectorErrors

/** Says what was wrong, where (`path`, inside the batch or the query) and the fix. */
export class CollectorError extends Error {
  override readonly name = 'CollectorError'
  readonly code: CollectorErrorCode
  readonly path: string | undefined

  constructor(code: CollectorErrorCode, message: string, options: { path?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.path = options.path
  }
}
