import { InferenceError } from '../error.js'
import type { Port } from '../session.js'
import { fromDatatype, wireType } from './datatype.js'
import { membersOf } from './readtensor.js'
import type { Fail, TensorMetadata } from './wire.js'

/** A port as metadata: a symbolic dimension is −1, and its name stands in `dims`. */
export function portMetadata({ name, dtype, shape }: Port): TensorMetadata {
  const sizes = shape.map((size) => (typeof size === 'number' ? size : -1))
  const named = shape.some((size) => typeof size === 'string' && size !== '')
  return { name, datatype: wireType(dtype).datatype, shape: sizes, ...(named ? { dims: shape } : {}) }
}

/**
 * The ports in `inputs` or `outputs` of a model's metadata; −1 becomes the symbol in `dims`, or fits anything. None if the server does not
 * tell, as KServe's custom predictors don't.
 * @throws InferenceError REMOTE for what is not metadata, UNSUPPORTED for a datatype that no tensor of ours holds
 */
export function readPorts(list: unknown, member: 'inputs' | 'outputs'): Port[] {
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw garbled(member, `${member} is not an array`)
  return list.map((entry, index): Port => {
    const path = `${member}[${index}]`
    const { name, datatype, shape, dims } = membersOf(entry, path, garbled)
    if (typeof name !== 'string') throw garbled(path, `${path} has no name`)
    if (!Array.isArray(shape)) throw garbled(path, `${path} has no shape`)
    const type = typeof datatype === 'string' ? fromDatatype(datatype) : undefined
    if (type === undefined) {
      throw new InferenceError(
        'UNSUPPORTED',
        `'${name}' is of datatype ${JSON.stringify(datatype)}, which no tensor holds`,
        {
          data: { path: `${path}.datatype` },
        },
      )
    }
    return {
      name,
      dtype: type.dtype,
      shape: shape.map((size, axis) => symbolAt(dims, axis) ?? sizeOf(size, path)),
    }
  })
}

function symbolAt(dims: unknown, axis: number): string | undefined {
  const dim: unknown = Array.isArray(dims) ? dims[axis] : undefined
  return typeof dim === 'string' ? dim : undefined
}

/** Some servers write sizes as strings. */
function sizeOf(size: unknown, path: string): number | string {
  const number = Number(size)
  if (!Number.isSafeInteger(number) || size === null || size === '') {
    throw garbled(`${path}.shape`, `${path}.shape holds ${JSON.stringify(size)}`)
  }
  return number < 0 ? '' : number
}

const garbled: Fail = (path, message) =>
  new InferenceError('REMOTE', `the server's metadata can't be read: ${message}`, { data: { path } })
