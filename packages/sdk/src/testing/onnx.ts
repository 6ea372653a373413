import type { Port } from '../session.js'
import type { DType, Tensor } from '../tensor.js'
import { bytes, concat, type Field, float, int } from './protobuf.js'

/** An ONNX graph as data. Field numbers are those of onnx.proto (github.com/onnx/onnx, Apache-2.0). */
export interface Graph {
  readonly inputs: readonly GraphPort[]
  readonly outputs: readonly GraphPort[]
  readonly nodes: readonly Node[]
  readonly constants?: { readonly [name: string]: Exclude<Tensor, Tensor<'string'>> } | undefined
}

/** A port whose dtype may also be one that JavaScript can't carry. No shape: of unknown rank. */
export interface GraphPort extends Omit<Port, 'dtype' | 'shape'> {
  readonly dtype: DType | 'bfloat16' | 'int4' | 'uint4'
  readonly shape?: Port['shape'] | undefined
}

export interface Node {
  readonly op: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: { readonly [name: string]: Attribute } | undefined
}

/** A whole number is an INT, any other a FLOAT, a list INTS. */
export type Attribute = number | string | readonly number[]

const elementTypes: { readonly [D in GraphPort['dtype']]: number } = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
  bfloat16: 16,
  uint4: 21,
  int4: 22,
}

/** The bytes of an ONNX model. */
export function encodeModel(
  graph: Graph,
  { opset = 17 }: { readonly opset?: number } = {},
): Uint8Array<ArrayBuffer> {
  const irVersion = opset >= 21 ? 10 : 8
  const operators = concat([bytes(1, ''), int(2, opset)])
  return concat([int(1, irVersion), bytes(2, 'tandem'), bytes(7, encodeGraph(graph)), bytes(8, operators)])
}

function encodeGraph({ inputs, outputs, nodes, constants = {} }: Graph): Uint8Array {
  return concat([
    ...nodes.map((node) => bytes(1, encodeNode(node))),
    bytes(2, 'graph'),
    ...Object.entries(constants).map(([name, value]) => bytes(5, encodeConstant(name, value))),
    ...inputs.map((port) => bytes(11, encodePort(port))),
    ...outputs.map((port) => bytes(12, encodePort(port))),
  ])
}

function encodeNode({ op, inputs, outputs, attributes = {} }: Node): Uint8Array {
  return concat([
    ...inputs.map((name) => bytes(1, name)),
    ...outputs.map((name) => bytes(2, name)),
    bytes(4, op),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, encodeAttribute(name, value))),
  ])
}

function encodeAttribute(name: string, value: Attribute): Uint8Array {
  return concat([bytes(1, name), ...encodeValue(value)])
}

function encodeValue(value: Attribute): readonly Field[] {
  if (typeof value === 'string') return [bytes(4, value), int(20, 3)]
  if (typeof value !== 'number') return [...value.map((item) => int(8, item)), int(20, 7)]
  return Number.isInteger(value) ? [int(3, value), int(20, 2)] : [float(2, value), int(20, 1)]
}

function encodeConstant(name: string, { dtype, shape, data }: Exclude<Tensor, Tensor<'string'>>): Uint8Array {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return concat([
    ...shape.map((dim) => int(1, dim)),
    int(2, elementTypes[dtype]),
    bytes(8, name),
    bytes(9, raw),
  ])
}

function encodePort({ name, dtype, shape }: GraphPort): Uint8Array {
  const dims = shape?.map((dim) => {
    if (typeof dim === 'number') return bytes(1, int(1, dim))
    return bytes(1, dim === '' ? new Uint8Array() : bytes(2, dim))
  })
  const ranked = dims === undefined ? [] : [bytes(2, concat(dims))]
  const tensorType = concat([int(1, elementTypes[dtype]), ...ranked])
  return concat([bytes(1, name), bytes(2, bytes(1, tensorType))])
}
