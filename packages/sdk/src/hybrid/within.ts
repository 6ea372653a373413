import { longestDelayMs } from '../delay.js'
import { InferenceError } from '../error.js'

/** Settles as `work` does, or rejects with the signal's reason or DEADLINE as soon as either comes; `work` goes on. */
export function within<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  deadlineMs: number | undefined,
): Promise<T> {
  if (signal === undefined && deadlineMs === undefined) return work
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => settle(() => reject(signal?.reason))
    const timer =
      deadlineMs === undefined || deadlineMs > longestDelayMs
        ? undefined
        : setTimeout(() => settle(() => reject(late(deadlineMs))), deadlineMs)
    function settle(then: () => void): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      then()
    }
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    )
  })
}

function late(deadlineMs: number): InferenceError {
  return new InferenceError(
    'DEADLINE',
    `hybrid: no session was ready within the ${Math.round(deadlineMs)} ms that the deadline left; await hybrid(…) earlier or allow more time.`,
  )
}
