import { type ErrorCode, InferenceError } from '@tandem/sdk'

/** An answer that HTTP itself asks for, where no InferenceError fits. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: { readonly [name: string]: string }

  constructor(
    status: number,
    code: string,
    message: string,
    headers: { readonly [name: string]: string } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** What a client may be told of an error. 500 only for what is our fault; 503 for what may succeed later. */
const statuses: { readonly [C in ErrorCode]: number } = {
  INVALID_INPUT: 400,
  MODEL_NOT_FOUND: 404,
  UNSUPPORTED: 501,
  QUEUE_FULL: 503,
  DEADLINE: 503,
  DISPOSED: 503,
  NOT_A_MODEL: 500,
  INTEGRITY: 500,
  DEVICE_UNAVAILABLE: 500,
  FEATURE_MISSING: 500,
  DEVICE_LOST: 500,
  OUT_OF_MEMORY: 500,
  REALM_CRASHED: 500,
  RUN_FAILED: 500,
  REMOTE: 500,
}

export const retryLater: { readonly [name: string]: string } = { 'retry-after': '1' }

/** `error` as a refusal. What is no error of ours is told by no more than its existence. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (!InferenceError.is(error)) return new Refusal(500, 'INTERNAL', 'the server failed; its log says why')
  const status = statuses[error.code]
  return new Refusal(status, error.code, error.message, status === 503 ? retryLater : {})
}

/** The member at fault, if the error names one. */
export function pathOf(error: unknown): string | undefined {
  const path = InferenceError.is(error) ? error.data?.path : undefined
  return typeof path === 'string' ? path : undefined
}
