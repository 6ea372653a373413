import { tensor } from '../tensor.js'
import { encodeModel, type Node } from './onnx.js'
import { randomFloats } from './random.js'

/** One layer of {@link convNet}. */
export interface ConvLayer {
  readonly channels: number
  readonly kernel: number
  readonly stride: number
}

/** A photograph's 602 kB: the input of {@link convNet}, `image: float32[1, 3, 224, 224]`. */
export const imageShape: readonly number[] = [1, 3, 224, 224]

/** A small image classifier with seeded weights: `image` → `scores: float32[1, 10]`. */
export function convNet(layers: readonly ConvLayer[]): Uint8Array<ArrayBuffer> {
  const constants: Record<string, ReturnType<typeof weights>> = {}
  const nodes: Node[] = []
  let [value, depth] = ['image', 3]
  for (const [index, { channels, kernel, stride }] of layers.entries()) {
    constants[`w${index}`] = weights([channels, depth, kernel, kernel], index)
    const pad = kernel >> 1
    const attributes = {
      kernel_shape: [kernel, kernel],
      strides: [stride, stride],
      pads: [pad, pad, pad, pad],
    }
    nodes.push({ op: 'Conv', inputs: [value, `w${index}`], outputs: [`c${index}`], attributes })
    nodes.push({ op: 'Relu', inputs: [`c${index}`], outputs: [`r${index}`] })
    value = `r${index}`
    depth = channels
  }
  constants.head = weights([depth, 10], 99)
  nodes.push({ op: 'GlobalAveragePool', inputs: [value], outputs: ['pooled'] })
  nodes.push({ op: 'Flatten', inputs: ['pooled'], outputs: ['flat'] })
  nodes.push({ op: 'MatMul', inputs: ['flat', 'head'], outputs: ['scores'] })
  return encodeModel({
    inputs: [{ name: 'image', dtype: 'float32', shape: imageShape }],
    outputs: [{ name: 'scores', dtype: 'float32', shape: [1, 10] }],
    nodes,
    constants,
  })
}

/** A multi-layer perceptron with seeded weights: `x: float32[n, sizes[0]]` → `y: float32[n, sizes.at(-1)]`. */
export function mlp(sizes: readonly number[]): Uint8Array<ArrayBuffer> {
  const constants: Record<string, ReturnType<typeof weights>> = {}
  const nodes: Node[] = []
  const last = sizes.length - 2
  for (let layer = 0; layer <= last; layer++) {
    constants[`w${layer}`] = weights(sizes.slice(layer, layer + 2), layer)
    const [from, product] = [layer === 0 ? 'x' : `h${layer}`, layer === last ? 'y' : `p${layer}`]
    nodes.push({ op: 'MatMul', inputs: [from, `w${layer}`], outputs: [product] })
    if (layer < last) nodes.push({ op: 'Relu', inputs: [product], outputs: [`h${layer + 1}`] })
  }
  return encodeModel({
    inputs: [{ name: 'x', dtype: 'float32', shape: ['n', sizes[0] ?? 1] }],
    outputs: [{ name: 'y', dtype: 'float32', shape: ['n', sizes.at(-1) ?? 1] }],
    nodes,
    constants,
  })
}

function weights(shape: readonly number[], seed: number) {
  const count = shape.reduce((product, dim) => product * dim, 1)
  const fanIn = shape.length === 2 ? (shape[0] ?? 1) : count / (shape[0] ?? 1)
  return tensor('float32', randomFloats(count, seed + 1, Math.sqrt(3 / fanIn)), shape)
}
