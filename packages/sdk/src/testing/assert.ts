import { type ErrorCode, InferenceError } from '../error.js'
import type { Tensor } from '../tensor.js'

/** Fails a case. Assertions of our own, so that the cases run in a page and under any test runner. */
export function check(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(problem)
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  check(Object.is(actual, expected), `${what} is ${show(actual)}, not ${show(expected)}`)
}

/** The same dtype, shape and values: bit for bit, or within `tolerance` for floats. */
export function sameTensor(
  actual: Tensor | undefined,
  expected: Tensor,
  tolerance: number,
  what: string,
): void {
  check(actual !== undefined, `${what} is missing`)
  equal(actual.dtype, expected.dtype, `${what}'s dtype`)
  equal(`[${actual.shape}]`, `[${expected.shape}]`, `${what}'s shape`)
  equal(
    Object.prototype.toString.call(actual.data),
    Object.prototype.toString.call(expected.data),
    `${what}'s array`,
  )
  equal(actual.data.length, expected.data.length, `${what}'s length`)
  for (let index = 0; index < expected.data.length; index++) {
    const [got, wanted] = [actual.data[index], expected.data[index]]
    const near = typeof got === 'number' && typeof wanted === 'number' && Math.abs(got - wanted) <= tolerance
    check(near || Object.is(got, wanted), `${what}[${index}] is ${show(got)}, not ${show(wanted)}`)
  }
}

/** The reason with which a promise rejects. */
export async function rejection(promise: Promise<unknown>, what: string): Promise<unknown> {
  const settled = await promise.then(
    () => undefined,
    (reason: unknown) => ({ reason }),
  )
  check(settled !== undefined, `${what} did not fail`)
  return settled.reason
}

/** The InferenceError of this code with which a promise rejects. */
export async function fails(
  promise: Promise<unknown>,
  code: ErrorCode,
  what: string,
): Promise<InferenceError> {
  const reason = await rejection(promise, what)
  check(InferenceError.is(reason), `${what} failed with ${show(reason)}, not with ${code}`)
  equal(reason.code, code, `${what}'s code (${reason.message})`)
  check(reason.message.length > 20, `${what}'s message says too little: ${show(reason.message)}`)
  return reason
}

function show(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  return typeof value === 'bigint'
    ? `${value}n`
    : typeof value === 'string'
      ? JSON.stringify(value)
      : String(value)
}
