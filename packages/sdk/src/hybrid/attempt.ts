import { InferenceError } from '../error.js'
import type { Attempt, Place } from '../session.js'

/** The account of a try that failed. */
export function failedAttempt(
  target: Place,
  device: string,
  error: unknown,
  durationMs: number,
  aborted: boolean,
): Attempt {
  return {
    target,
    device,
    outcome: aborted ? 'aborted' : 'failed',
    code: InferenceError.is(error) ? error.code : undefined,
    reason: error instanceof Error ? error.message : String(error),
    durationMs,
  }
}

/** A caller's mistake is the same mistake elsewhere, and a spent deadline leaves no time to try. */
export function mayFallBack(error: unknown): boolean {
  return !InferenceError.is(error, 'INVALID_INPUT') && !InferenceError.is(error, 'DEADLINE')
}

/** The error of a call that has no place left: the last failure, and what failed before it. */
export function exhausted(error: unknown, attempts: readonly Attempt[]): unknown {
  const before = attempts.slice(0, -1)
  if (before.length === 0) return error
  const message = error instanceof Error ? error.message : String(error)
  const story = before.map((attempt) => `${attempt.target} failed: ${attempt.reason}`).join(' ')
  return new InferenceError(
    InferenceError.is(error) ? error.code : 'RUN_FAILED',
    `${message} (before that, ${story})`,
    {
      cause: error,
      data: { ...(InferenceError.is(error) ? error.data : undefined), attempts },
    },
  )
}
