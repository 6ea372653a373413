import type { Port } from '../session.js'
import { arrayOf, type DType, elementCount, type Tensor, type TensorData } from '../tensor.js'
import type { Pool } from './pool.js'
import type { WireTensor } from './protocol.js'

/** Feeds on their way to a realm. */
export interface Packed {
  readonly feeds: readonly WireTensor[]
  /** Pooled buffers that hold copies; they come back. */
  readonly borrowed: readonly ArrayBuffer[]
  /** All buffers to transfer: borrowed and moved ones. */
  readonly transfer: readonly ArrayBuffer[]
}

/** Below this, cloning within the message is cheaper than transferring a buffer. */
export const smallBytes: number = 16 * 1024

type Numbers = Exclude<TensorData[DType], readonly string[]>

/**
 * Copies feeds into pooled buffers, or with `move` takes over the caller's buffers: either way what the caller does with them
 * afterwards changes nothing. What can't be moved without harm is copied all the same: a view into a larger buffer, shared
 * memory, WebAssembly memory.
 */
export function pack(feeds: FeedMap, ports: readonly Port[], pool: Pool, move = false): Packed {
  const borrowed: ArrayBuffer[] = []
  const moved = new Map<ArrayBufferLike, ArrayBuffer>()
  const packed = ports.map(({ name }): WireTensor => {
    const { dtype, data, ...tensor } = feeds[name] as Tensor
    const shape = [...tensor.shape]
    if (!('buffer' in data)) return { name, dtype, shape, data: [...data] }
    const length = elementCount(shape)
    const own = move ? takeOver(data, moved) : undefined
    if (own !== undefined) return { name, dtype, shape, data: viewOn(dtype, own, length) }
    if (data.byteLength < smallBytes) return { name, dtype, shape, data: copyOf(dtype, data) }
    const buffer = pool.take(data.byteLength)
    borrowed.push(buffer)
    const copy = viewOn(dtype, buffer, length)
    bytesOf(copy).set(bytesOf(data))
    return { name, dtype, shape, data: copy }
  })
  return { feeds: packed, borrowed, transfer: [...borrowed, ...moved.values()] }
}

type FeedMap = { readonly [name: string]: Tensor }

/** The feeds as they are, for a runtime in this very thread. */
export function passOn(feeds: FeedMap, ports: readonly Port[]): Packed {
  const passed = ports.map(({ name }): WireTensor => {
    const { dtype, shape, data } = feeds[name] as Tensor
    if (!('buffer' in data)) return { name, dtype, shape, data }
    // onnxruntime takes no views on shared memory, and no arrays of another window or context.
    const fits = isOrdinary(data.buffer) && data instanceof classOf(dtype)
    return { name, dtype, shape, data: fits ? data : copyOf(dtype, data) }
  })
  return { feeds: passed, borrowed: [], transfer: [] }
}

/** Detaches the whole buffer of `data`, at once and visibly to the caller. Undefined where that can't be done. */
function takeOver(data: Numbers, moved: Map<ArrayBufferLike, ArrayBuffer>): ArrayBuffer | undefined {
  const { buffer } = data
  const known = moved.get(buffer)
  if (known !== undefined) return known
  if (!isOrdinary(buffer) || data.byteLength === 0 || data.byteLength !== buffer.byteLength) return undefined
  try {
    const own = structuredClone(buffer, { transfer: [buffer] })
    moved.set(buffer, own)
    return own
  } catch {
    // WebAssembly memory looks like an ArrayBuffer and only says no when one tries.
    return undefined
  }
}

function isOrdinary(buffer: ArrayBufferLike): buffer is ArrayBuffer {
  return buffer[Symbol.toStringTag] === 'ArrayBuffer'
}

interface ArrayClass {
  new (source: ArrayBuffer | Numbers, offset?: number, length?: number): Numbers
}

/** The dtype's plain class: what the caller gave may be a subclass, such as Node's Buffer, with ways of its own. */
function classOf(dtype: DType): ArrayClass {
  return arrayOf[dtype as keyof typeof arrayOf] as ArrayClass
}

/** `length` is given, since a view that was moved away has forgotten it. */
function viewOn(dtype: DType, buffer: ArrayBuffer, length: number): Numbers {
  return new (classOf(dtype))(buffer, 0, length)
}

function copyOf(dtype: DType, data: Numbers): Numbers {
  return new (classOf(dtype))(data)
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
