import { type ErrorCode, type ErrorData, errorCodes, InferenceError } from '@tandem/sdk/error'
import type { Done } from '../execute.js'
import type { Input } from '../input.js'
import type { Plan } from '../plan.js'

/** What a worker offers through comlink. */
export interface WorkerApi {
  /** Resolves when the worker can take jobs; in browsers it then holds the Web Lock of this name for as long as it lives. */
  ready(lock: string): Promise<void>
  run(plan: Plan, input: Input): Promise<Answer>
}

/** Failures travel as values: comlink would strip a thrown one of its code, data and cause. */
type Answer = { readonly ok: true; readonly done: Done } | { readonly ok: false; readonly error: WireError }

/** An error as plain data. */
export interface WireError {
  readonly name: string
  readonly message: string
  readonly code?: ErrorCode | undefined
  readonly data?: ErrorData | undefined
  readonly cause?: WireError | undefined
}

/** Causes deeper than this are cut off, so that a cycle ends. */
const maxDepth = 4

export const toWire = (error: unknown, depth = 0): WireError => {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  const cause = error.cause === undefined || depth === maxDepth ? undefined : toWire(error.cause, depth + 1)
  return InferenceError.is(error)
    ? { name, message, code: error.code, data: error.data, cause }
    : { name, message, cause }
}

export const fromWire = (wire: WireError): Error => {
  const cause = wire.cause === undefined ? {} : { cause: fromWire(wire.cause) }
  if (wire.code !== undefined && errorCodes.includes(wire.code)) {
    return new InferenceError(wire.code, wire.message, {
      ...cause,
      ...(wire.data === undefined ? {} : { data: wire.data }),
    })
  }
  const error = new Error(wire.message, cause)
  error.name = wire.name
  return error
}
