/** Every way in which a call can fail, apart from the caller's own abort. */
export const errorCodes = [
  'INVALID_INPUT',
  'RUN_FAILED',
  'NOT_A_MODEL',
  'MODEL_NOT_FOUND',
  'INTEGRITY',
  'DEVICE_UNAVAILABLE',
  'FEATURE_MISSING',
  'DEVICE_LOST',
  'OUT_OF_MEMORY',
  'QUEUE_FULL',
  'DEADLINE',
  'DISPOSED',
  'REALM_CRASHED',
  'REMOTE',
  'UNSUPPORTED',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** Facts for programs, beside the sentence for people: plain data, so that it crosses workers and HTTP. */
export type ErrorData = { readonly [name: string]: unknown }

/** The one error class. `message` says what was wrong, where, and the fix; `code` is for `switch`. */
export class InferenceError extends Error {
  override readonly name = 'InferenceError'
  readonly code: ErrorCode
  readonly data: ErrorData | undefined

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; data?: ErrorData } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.data = options.data
  }

  /** Whether `error` is an InferenceError (with this code). Tests name and code, so it holds across workers and duplicate packages. */
  static is(error: unknown, code?: ErrorCode): error is InferenceError {
    if (typeof error !== 'object' || error === null) return false
    const candidate = error as { name?: unknown; code?: unknown }
    if (candidate.name !== 'InferenceError') return false
    return code === undefined ? errorCodes.some((known) => known === candidate.code) : candidate.code === code
  }
}
