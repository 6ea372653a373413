import type { Tensor } from '@tandem/sdk'
import { invalid, whole } from '../check.js'
import { numbers } from './numbers.js'

/**
 * e^x / Σ e^x along `axis` (the last by default, negative counts from the end), in float32 and without overflow.
 * @throws INVALID_INPUT for a scalar or an axis that is not there
 */
export const softmax = (tensor: Tensor, axis = -1): Tensor<'float32'> => {
  const values = numbers('softmax() tensor', tensor)
  const { shape } = tensor
  if (shape.length === 0) throw invalid('softmax() tensor', 'is a scalar: it has no axis')
  whole('softmax() axis', axis, -shape.length, shape.length - 1)
  const along = axis < 0 ? axis + shape.length : axis
  const length = shape[along] as number
  const apart = shape.slice(along + 1).reduce((product, side) => product * side, 1)
  const data = new Float32Array(values.length)
  for (let block = 0; block < values.length; block += apart * length) {
    for (let start = block; start < block + apart; start++) normalise(values, data, start, length, apart)
  }
  return { dtype: 'float32', shape, data }
}

function normalise(
  values: ArrayLike<number>,
  out: Float32Array,
  start: number,
  length: number,
  apart: number,
): void {
  const end = start + length * apart
  let largest = Number.NEGATIVE_INFINITY
  for (let i = start; i < end; i += apart) largest = Math.max(largest, values[i] as number)
  let sum = 0
  for (let i = start; i < end; i += apart) sum += Math.exp((values[i] as number) - largest)
  for (let i = start; i < end; i += apart) out[i] = Math.exp((values[i] as number) - largest) / sum
}
