import { InferenceError } from './error.js'

/** How a call that threw ended, for its span: `cancelled` by its caller's signal, else the error's code, `error` where it has none. */
export function outcomeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted && error === signal.reason) return 'cancelled'
  return InferenceError.is(error) ? error.code : 'error'
}
