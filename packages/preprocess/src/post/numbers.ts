import type { Tensor } from '@tandem/sdk'
import { fromFloat16 } from '@tandem/sdk/float16'
import { invalid, show } from '../check.js'

/** A tensor's values as numbers. @throws INVALID_INPUT for strings, 64-bit integers and what is no tensor */
export const numbers = (where: string, tensor: Tensor): ArrayLike<number> => {
  if (typeof tensor !== 'object' || tensor === null || !('dtype' in tensor)) {
    throw invalid(
      where,
      `must be a tensor { dtype, shape, data }, got ${show(tensor)}; take one with output(result, name)`,
    )
  }
  const { shape, data } = tensor
  if (shape.reduce((product, side) => product * side, 1) !== data.length) {
    throw invalid(where, `has shape [${shape.join(', ')}] but ${data.length} values`)
  }
  switch (tensor.dtype) {
    case 'string':
    case 'int64':
    case 'uint64':
      throw invalid(where, `holds ${tensor.dtype}, which are no scores`)
    case 'float16':
      return fromFloat16(tensor.data)
    default:
      return tensor.data
  }
}
