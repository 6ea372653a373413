import { InferenceError } from './error.js'
import { float16Max, toFloat16 } from './float16.js'

/** The element type of each dtype's data. float16 is bits; bool is 0 or 1. */
export interface TensorData {
  float32: Float32Array
  float64: Float64Array
  float16: Uint16Array
  int8: Int8Array
  int16: Int16Array
  int32: Int32Array
  int64: BigInt64Array
  uint8: Uint8Array
  uint16: Uint16Array
  uint32: Uint32Array
  uint64: BigUint64Array
  bool: Uint8Array
  string: readonly string[]
}

/** onnxruntime's names for what a tensor holds. */
export type DType = keyof TensorData

/** Plain data: row-major values and their shape. May be used for any number of runs. `[]` is a scalar. */
export type Tensor<D extends DType = DType> = {
  [K in D]: { readonly dtype: K; readonly shape: readonly number[]; readonly data: TensorData[K] }
}[D]

/** The array class that holds each numeric dtype. */
export const arrayOf: ArrayClasses = {
  float32: Float32Array,
  float64: Float64Array,
  float16: Uint16Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
}

interface ArrayClasses {
  readonly float32: Float32ArrayConstructor
  readonly float64: Float64ArrayConstructor
  readonly float16: Uint16ArrayConstructor
  readonly int8: Int8ArrayConstructor
  readonly int16: Int16ArrayConstructor
  readonly int32: Int32ArrayConstructor
  readonly int64: BigInt64ArrayConstructor
  readonly uint8: Uint8ArrayConstructor
  readonly uint16: Uint16ArrayConstructor
  readonly uint32: Uint32ArrayConstructor
  readonly uint64: BigUint64ArrayConstructor
  readonly bool: Uint8ArrayConstructor
}

/** Every dtype. */
export const dtypes: readonly DType[] = [...(Object.keys(arrayOf) as DType[]), 'string']

/** What {@link tensor} takes: the dtype's own array as it is, or plain values, each checked to fit. */
export type TensorValues<D extends DType> =
  | TensorData[D]
  | ArrayLike<number>
  | ArrayLike<bigint>
  | ArrayLike<boolean>
  | (D extends 'string' ? ArrayLike<string> : never)

/**
 * A checked tensor. The dtype's own array class is taken as it is, without a copy; other values are converted, and one that
 * does not fit (300 in a uint8, 0.5 in an int32, 2^53 as a number in an int64) is an error, never wrapped. float16
 * takes bits as a Uint16Array and values otherwise. The shape is `[length]` unless given; `[]` is a scalar.
 *
 * @throws InferenceError INVALID_INPUT
 */
export function tensor<D extends DType>(
  dtype: D,
  values: TensorValues<D>,
  shape: readonly number[] = [values?.length ?? 0],
): Tensor<D> {
  if (!dtypes.includes(dtype)) {
    throw invalid('dtype', `There is no dtype ${JSON.stringify(dtype)}; use one of ${dtypes.join(', ')}.`)
  }
  if (typeof values !== 'object' || values === null) {
    throw invalid('data', `A tensor takes an array of values, not ${values}.`)
  }
  const data = isDataOf(dtype, values) ? values : convert(dtype, values)
  if (!Array.isArray(shape) || shape.some((dim) => !Number.isSafeInteger(dim) || dim < 0)) {
    throw invalid('shape', `A shape holds whole numbers from 0 on, not [${shape}].`)
  }
  if (elementCount(shape) !== data.length) {
    const wanted = elementCount(shape)
    throw invalid(
      'shape',
      `Shape [${shape.join(', ')}] holds ${wanted} value(s) but ${data.length} were given.`,
    )
  }
  return { dtype, shape, data } as Tensor as Tensor<D>
}

/** How many values a shape holds: 1 for a scalar. */
export function elementCount(shape: readonly number[]): number {
  let count = 1
  for (const dim of shape) count *= dim
  return count
}

/** Bytes of a tensor's values; for strings, of their UTF-16. */
export function byteSize({ data }: { readonly data: TensorData[DType] }): number {
  if ('byteLength' in data) return data.byteLength
  return data.reduce((bytes, text) => bytes + 2 * text.length, 0)
}

/** Whether `values` is the array class of `dtype`. Asks the values, so that an array of another window or thread counts too. */
export function isDataOf<D extends DType>(dtype: D, values: unknown): values is TensorData[D] {
  if (dtype === 'string') return Array.isArray(values) && values.every((value) => typeof value === 'string')
  const wanted = arrayOf[dtype as keyof typeof arrayOf]
  if (values instanceof wanted) return true
  const tag = (values as { [Symbol.toStringTag]?: unknown } | null | undefined)?.[Symbol.toStringTag]
  return ArrayBuffer.isView(values) && tag === wanted.name
}

const integers = {
  int8: [-(2 ** 7), 2 ** 7 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, Number.MAX_SAFE_INTEGER],
  bool: [0, 1],
} as const

const floatMax = { float16: float16Max, float32: 3.4028234663852886e38, float64: Number.MAX_VALUE } as const

function convert(dtype: DType, values: ArrayLike<unknown>): TensorData[DType] {
  if (dtype === 'string') {
    const at = Array.from(values).findIndex((value) => typeof value !== 'string')
    throw misfit(dtype, values[at], at)
  }
  if (dtype === 'int64' || dtype === 'uint64') return convertBig(dtype, values)
  const numbers = Array.from(values, (value, at) => toNumber(dtype, value, at))
  return dtype === 'float16' ? toFloat16(numbers) : arrayOf[dtype].from(numbers)
}

function convertBig(dtype: 'int64' | 'uint64', values: ArrayLike<unknown>): BigInt64Array | BigUint64Array {
  const fit = dtype === 'int64' ? BigInt.asIntN : BigInt.asUintN
  const data = new arrayOf[dtype](values.length)
  for (let at = 0; at < data.length; at++) {
    const value = values[at]
    const big = typeof value === 'bigint' ? value : BigInt(toNumber(dtype, value, at))
    if (fit(64, big) !== big) throw misfit(dtype, value, at)
    data[at] = big
  }
  return data
}

function toNumber(dtype: Exclude<DType, 'string'>, value: unknown, at: number): number {
  const number = typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : value
  if (typeof number !== 'number') throw misfit(dtype, value, at)
  if (dtype in floatMax) {
    if (Number.isFinite(number) && !isInRange(dtype, number)) throw misfit(dtype, value, at)
    return number
  }
  const [min, max] = integers[dtype as keyof typeof integers]
  if (!Number.isInteger(number) || number < min || number > max) throw misfit(dtype, value, at)
  return number
}

/** A little above the largest value still rounds to it. */
function isInRange(dtype: DType, value: number): boolean {
  return dtype === 'float16'
    ? Math.abs(value) < 65520
    : dtype === 'float64' || Number.isFinite(Math.fround(value))
}

function misfit(dtype: DType, value: unknown, at: number): InferenceError {
  const shown = typeof value === 'bigint' ? `${value}n` : String(value)
  const range =
    dtype in integers
      ? `whole numbers from ${integers[dtype as keyof typeof integers].join(' to ')}${dtype.endsWith('64') ? ' (further as bigint)' : ''}`
      : dtype === 'string'
        ? 'strings'
        : `numbers up to ±${floatMax[dtype as keyof typeof floatMax]}`
  return invalid(`data[${at}]`, `Value ${at} (${shown}) does not fit ${dtype}, which holds ${range}.`)
}

function invalid(path: string, message: string): InferenceError {
  return new InferenceError('INVALID_INPUT', message, { data: { path } })
}
