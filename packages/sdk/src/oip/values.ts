import type { DType, Tensor } from '../tensor.js'
import { numbersAt, type WireType } from './datatype.js'
import { skipBlank, stringEnd, type TextSpan } from './document.js'
import type { Fail } from './wire.js'

/** Where the values of one tensor stand, and how they are named in errors. */
export interface ValueSource {
  readonly text: string
  readonly span: TextSpan
  /** The member, such as `inputs[0].data`. */
  readonly path: string
  /** Also takes what foreign servers write: bare NaN and Infinity, 0 and 1 for booleans. */
  readonly tolerant: boolean
  readonly fail: Fail
}

/** Takes the value that starts at `at` as element `index`, and returns the index behind it. */
type TakeValue = (at: number, index: number) => number

const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const integerToken = /-?(?:0|[1-9]\d*)(?![.eE\d])/y
const bareToken = /-?Infinity|NaN/y
const wordToken = /true|false|0(?![.eE\d])|1(?![.eE\d])/y

/** Reads `data`, nested or flat, straight into a typed array. Leaves count; nesting does not have to match the shape. */
export function readValues(
  source: ValueSource,
  type: WireType,
  shape: readonly number[],
  count: number,
): Tensor {
  const { text, span, path, fail } = source
  // Every value takes a character, and a comma stands between two: a shape can't make us allocate more than was sent.
  if (count > span.end - span.start) throw wrongCount(source, shape, count)
  const { tensor, take } = target(source, type, shape, count)
  let index = 0
  let depth = 0
  let at = span.start
  let afterValue = false
  while (at < span.end) {
    const char = text[at]
    if (char === '[' && !afterValue) {
      depth++
      at = skipBlank(text, at + 1)
      if (text[at] === ']') afterValue = true
    } else if (char === ']' && afterValue) {
      depth--
      at++
    } else if (char === ',' && afterValue && depth > 0) {
      afterValue = false
      at++
    } else if (!afterValue && char !== ']' && char !== ',') {
      if (index >= count) throw wrongCount(source, shape, count)
      at = take(at, index++)
      afterValue = true
    } else throw fail(path, `failed to parse the JSON of ${path} at value ${index}`)
    at = skipBlank(text, at)
  }
  if (!afterValue || depth !== 0) throw fail(path, `failed to parse the JSON of ${path} at value ${index}`)
  if (index !== count) throw wrongCount(source, shape, count)
  if (text[span.start] !== '[' && shape.length > 0) throw fail(path, `${path} must be an array`)
  return tensor
}

function target(
  source: ValueSource,
  type: WireType,
  shape: readonly number[],
  count: number,
): { readonly tensor: Tensor; readonly take: TakeValue } {
  const { text, path, tolerant, fail } = source
  const bad = (at: number, index: number, want: string): Error => {
    const found = text.slice(at, Math.min(at + 24, source.span.end)).split(/[\],\s]/, 1)[0]
    return fail(`${path}[${index}]`, `${path}[${index}] is ${found}, and ${type.datatype} takes ${want}`)
  }
  const token = (pattern: RegExp, at: number): string | undefined => {
    pattern.lastIndex = at
    return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined
  }
  const string = (at: number, index: number): string => {
    if (text[at] !== '"') throw bad(at, index, 'strings')
    try {
      return JSON.parse(text.slice(at, stringEnd(text, at, fail)))
    } catch {
      throw bad(at, index, 'JSON strings')
    }
  }
  if (type.dtype === 'string') {
    const data: string[] = []
    const take: TakeValue = (at, index) => {
      const value = string(at, index)
      if (hasLoneSurrogate(value)) throw bad(at, index, 'Unicode text, without lone surrogates')
      data.push(value)
      return stringEnd(text, at, fail)
    }
    return { tensor: { dtype: 'string', shape, data }, take }
  }
  const data = numbersAt(type.dtype, new ArrayBuffer(count * type.bytes), 0, count)
  return { tensor: numericTensor(type.dtype, shape, data), take: taker() }

  function taker(): TakeValue {
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
      return (at, index) => {
        const digits = token(integerToken, at)
        const value = digits === undefined ? undefined : BigInt(digits)
        if (digits === undefined || value === undefined || value < type.min || value > type.max) {
          throw bad(at, index, `integers from ${type.min} to ${type.max}`)
        }
        data[index] = value
        return at + digits.length
      }
    }
    if (type.kind === 'bool') {
      return (at, index) => {
        const word = token(wordToken, at)
        if (word === undefined || (!tolerant && word.length === 1)) throw bad(at, index, 'true or false')
        data[index] = word === 'true' || word === '1' ? 1 : 0
        return at + word.length
      }
    }
    if (type.kind === 'integer') {
      const [min, max] = [Number(type.min), Number(type.max)]
      return (at, index) => {
        const digits = token(integerToken, at)
        const value = Number(digits)
        if (digits === undefined || value < min || value > max) {
          throw bad(at, index, `integers from ${min} to ${max}`)
        }
        data[index] = value
        return at + digits.length
      }
    }
    const fits = type.dtype === 'float32' ? Math.fround : (value: number): number => value
    return (at, index) => {
      const digits = token(numberToken, at)
      if (digits !== undefined) {
        const value = Number(digits)
        if (!Number.isFinite(fits(value))) throw bad(at, index, 'numbers in its range')
        data[index] = value
        return at + digits.length
      }
      const bare = tolerant ? token(bareToken, at) : undefined
      const name = bare ?? (text[at] === '"' ? string(at, index) : '')
      if (name !== 'NaN' && name !== 'Infinity' && name !== '-Infinity') {
        throw bad(at, index, 'numbers, or the strings "NaN", "Infinity" and "-Infinity"')
      }
      data[index] = Number(name)
      return bare === undefined ? stringEnd(text, at, fail) : at + bare.length
    }
  }
}

/** The one place where a dtype chosen at run time meets the union of tensors. */
export function numericTensor(
  dtype: Exclude<DType, 'string'>,
  shape: readonly number[],
  data: ReturnType<typeof numbersAt>,
): Tensor {
  return { dtype, shape, data } as Tensor
}

const loneSurrogate = /\p{Surrogate}/u

/** Whether UTF-8 can't carry `text`. */
export function hasLoneSurrogate(text: string): boolean {
  return loneSurrogate.test(text)
}

/** Says where the nesting leaves the shape, if it was meant to follow it. */
function wrongCount({ text, span, path, fail }: ValueSource, shape: readonly number[], count: number): Error {
  const wants = `its shape [${shape.join(',')}] takes ${count} value${count === 1 ? '' : 's'}`
  let value: unknown
  try {
    value = JSON.parse(text.slice(span.start, span.end))
  } catch {
    return fail(path, `${path} does not match: ${wants}`)
  }
  const leaves = (part: unknown): number =>
    Array.isArray(part) ? part.reduce((sum: number, inner) => sum + leaves(inner), 0) : 1
  const nested = Array.isArray(value) && value.some(Array.isArray)
  const where = nested ? disagreement(value, shape, path) : undefined
  return fail(
    where?.path ?? path,
    `${path} holds ${leaves(value)}, and ${wants}${where ? `: ${where.text}` : ''}`,
  )
}

function disagreement(
  value: unknown,
  [size, ...inner]: readonly number[],
  path: string,
): { readonly path: string; readonly text: string } | undefined {
  if (!Array.isArray(value) || size === undefined) return undefined
  if (value.length !== size)
    return { path, text: `${path} has ${value.length} entries where the shape has ${size}` }
  for (const [index, part] of value.entries()) {
    const found = disagreement(part, inner, `${path}[${index}]`)
    if (found) return found
  }
  return undefined
}
