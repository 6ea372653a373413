import { InferenceError } from '../error.js'
import type { Port } from '../session.js'
import { type DType, dtypes } from '../tensor.js'
import type { OrtMetadata } from './runtime.js'

/**
 * A graph's inputs or outputs as ports.
 *
 * @throws InferenceError UNSUPPORTED, naming what JavaScript can't feed or fetch. An int4 output would even abort the
 * whole Node process when run, so it must be refused by its metadata.
 */
export function toPorts(
  metadata: readonly OrtMetadata[],
  side: 'input' | 'output',
  model: string,
): readonly Port[] {
  const misfits = metadata.filter(({ isTensor, type }) => !isTensor || !dtypes.includes(type as DType))
  if (misfits.length > 0) {
    const problems = misfits.map(({ name, isTensor, type }) => {
      const what = isTensor ? (type ?? 'of an unknown dtype') : 'no tensor but a sequence, map or optional'
      return `${side} ${JSON.stringify(name)} is ${what}`
    })
    throw new InferenceError(
      'UNSUPPORTED',
      `${model}: ${problems.join('; ')}. onnxruntime can't pass that to or from JavaScript: ` +
        'export the model with plain tensors of another dtype.',
      { data: { names: misfits.map(({ name }) => name) } },
    )
  }
  return metadata.map(({ name, type, shape = [] }) => ({
    name,
    dtype: type as DType,
    shape: shape.map(dimension),
  }))
}

/** onnxruntime-web reports a dimension without a name as −1 read as unsigned; onnxruntime-node as the empty string. */
function dimension(size: number | string): number | string {
  return size === 0xffffffff || size === -1 ? '' : size
}
