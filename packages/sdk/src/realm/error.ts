import { type ErrorCode, type ErrorData, errorCodes, InferenceError } from '../error.js'

/** An error as plain data. Structured clone and comlink keep only name and message of an Error. */
export interface WireError {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  readonly code?: ErrorCode | undefined
  readonly data?: ErrorData | undefined
  readonly cause?: WireError | undefined
}

/** Causes deeper than this are cut off, so that a cycle ends. */
const maxDepth = 8

export function toWire(error: unknown, depth = 0): WireError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const cause = error.cause === undefined || depth >= maxDepth ? undefined : toWire(error.cause, depth + 1)
  const { name, message, stack } = error
  if (!InferenceError.is(error)) return { name, message, stack, cause }
  return { name, message, stack, code: error.code, data: error.data, cause }
}

export function fromWire(wire: WireError): Error {
  const cause = wire.cause === undefined ? {} : { cause: fromWire(wire.cause) }
  if (wire.code !== undefined && errorCodes.includes(wire.code)) {
    const data = wire.data === undefined ? {} : { data: wire.data }
    return new InferenceError(wire.code, wire.message, { ...cause, ...data })
  }
  const error = new Error(wire.message, cause)
  error.name = wire.name
  if (wire.stack !== undefined) error.stack = wire.stack
  return error
}
