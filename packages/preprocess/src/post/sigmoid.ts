import type { Tensor } from '@tandem/sdk'
import { numbers } from './numbers.js'

/** 1 / (1 + e^−x) of every value, in float32. */
export const sigmoid = (tensor: Tensor): Tensor<'float32'> => {
  const values = numbers('sigmoid() tensor', tensor)
  return {
    dtype: 'float32',
    shape: tensor.shape,
    data: Float32Array.from(values, (value) => 1 / (1 + Math.exp(-value))),
  }
}
