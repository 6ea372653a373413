import { InferenceError } from '../error.js'
import type { Port } from '../session.js'
import { type DType, elementCount, type Tensor, tensor } from '../tensor.js'
import { encodeModel, type Graph } from './onnx.js'

/** A model twice: as ONNX, and as the JavaScript that says what it must answer. */
export interface TinyModel {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  compute(feeds: Named): Named | Promise<Named>
}

export type Named = { readonly [name: string]: Tensor }

/** `y = x`, any shape. */
export function identity(dtype: DType): TinyModel {
  const nodes = [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }]
  // Unknown rank, so that scalars and any other shape pass.
  const graph = { inputs: [{ name: 'x', dtype }], outputs: [{ name: 'y', dtype }], nodes }
  const port = { dtype, shape: [] }
  return {
    name: `identity_${dtype}`,
    bytes: encodeModel(graph),
    inputs: [{ name: 'x', ...port }],
    outputs: [{ name: 'y', ...port }],
    compute: ({ x }) => ({ y: x as Tensor }),
  }
}

/** `sum = a + b`, float32[n, 2] each: the two share `n`. */
export function add(): TinyModel {
  const port = { dtype: 'float32', shape: ['n', 2] } as const
  return tiny(
    'add',
    {
      inputs: [
        { name: 'a', ...port },
        { name: 'b', ...port },
      ],
      outputs: [{ name: 'sum', ...port }],
      nodes: [{ op: 'Add', inputs: ['a', 'b'], outputs: ['sum'] }],
    },
    ({ a, b }) => {
      const [left, right] = [a as Tensor<'float32'>, b as Tensor<'float32'>]
      return {
        sum: { ...left, data: left.data.map((value, index) => value + (right.data[index] as number)) },
      }
    },
  )
}

/** `twice = 2 x` and `square = x²`, float32[n]: two outputs to choose from. */
export function twoOutputs(): TinyModel {
  const port = { dtype: 'float32', shape: ['n'] } as const
  return tiny(
    'two_outputs',
    {
      inputs: [{ name: 'x', ...port }],
      outputs: [
        { name: 'twice', ...port },
        { name: 'square', ...port },
      ],
      nodes: [
        { op: 'Add', inputs: ['x', 'x'], outputs: ['twice'] },
        { op: 'Mul', inputs: ['x', 'x'], outputs: ['square'] },
      ],
    },
    (feeds) => {
      const x = feeds.x as Tensor<'float32'>
      return {
        twice: { ...x, data: x.data.map((value) => 2 * value) },
        square: { ...x, data: x.data.map((value) => value * value) },
      }
    },
  )
}

/** `y = x` in the shape that `shape` says: loads always, and fails in the run when the shape does not fit. */
export function reshape(): TinyModel {
  return tiny(
    'reshape',
    {
      inputs: [
        { name: 'x', dtype: 'float32', shape: ['n'] },
        { name: 'shape', dtype: 'int64', shape: [2] },
      ],
      outputs: [{ name: 'y', dtype: 'float32', shape: ['rows', 'columns'] }],
      nodes: [{ op: 'Reshape', inputs: ['x', 'shape'], outputs: ['y'] }],
    },
    (feeds) => {
      const [x, wanted] = [feeds.x as Tensor<'float32'>, feeds.shape as Tensor<'int64'>]
      const shape = Array.from(wanted.data, Number)
      if (elementCount(shape) !== x.data.length) {
        throw new InferenceError(
          'RUN_FAILED',
          `reshape: ${x.data.length} values do not fit [${shape.join(', ')}].`,
        )
      }
      return { y: { dtype: 'float32', shape, data: x.data } }
    },
  )
}

/** Names and dimensions as exporters really write them. */
export function awkward(): TinyModel {
  const names = ['input:0', 'onnx::Flatten_0', 'größe/深さ "x"'] as const
  const outputs = ['{"1": "1_minute_timer", "2": "x"}', 'StatefulPartitionedCall:2', '7'] as const
  const port = { dtype: 'float32', shape: ['', 'unk__1'] } as const
  return tiny(
    'awkward',
    {
      inputs: names.map((name) => ({ name, ...port })),
      outputs: outputs.map((name) => ({ name, ...port })),
      nodes: names.map((name, index) => ({
        op: 'Identity',
        inputs: [name],
        outputs: [outputs[index] as string],
      })),
    },
    (feeds) =>
      Object.fromEntries(outputs.map((name, index) => [name, feeds[names[index] as string] as Tensor])),
  )
}

/** Side of the square matrices that {@link slow} multiplies. */
const side = 256

/**
 * `y = x` (one float32), after `layers` products of 256 × 256 matrices: about 1 ms each on a CPU core, 10 on WASM. Every
 * product averages over equal values, so the answer stays what was given.
 */
export function slow(layers: number): TinyModel {
  const name = (layer: number): string => (layer === 0 ? 'grown' : `layer${layer}`)
  const matrix = {
    dtype: 'float32',
    shape: [side, side],
    data: new Float32Array(side * side).fill(1 / side),
  } as const
  const products = Array.from({ length: layers }, (_, layer) => ({
    op: 'MatMul',
    inputs: [name(layer), 'mean'],
    outputs: [name(layer + 1)],
  }))
  return tiny(
    `slow_${layers}`,
    {
      inputs: [{ name: 'x', dtype: 'float32', shape: [1] }],
      outputs: [{ name: 'y', dtype: 'float32', shape: [1] }],
      constants: { mean: matrix, square: tensor('int64', [side, side]) },
      nodes: [
        { op: 'Expand', inputs: ['x', 'square'], outputs: ['grown'] },
        ...products,
        { op: 'ReduceMean', inputs: [name(layers)], outputs: ['all'], attributes: { keepdims: 0 } },
        { op: 'Unsqueeze', inputs: ['all', 'axis'], outputs: ['y'] },
      ],
    },
    async ({ x }) => {
      await new Promise<void>((done) => setTimeout(done, layers))
      return { y: x as Tensor }
    },
    { axis: tensor('int64', [0]) },
  )
}

function tiny(
  name: string,
  graph: Graph & { readonly inputs: readonly Port[]; readonly outputs: readonly Port[] },
  compute: TinyModel['compute'],
  constants: Graph['constants'] = {},
): TinyModel {
  const { inputs, outputs } = graph
  const bytes = encodeModel({ ...graph, constants: { ...graph.constants, ...constants } })
  return { name, bytes, inputs, outputs, compute }
}
