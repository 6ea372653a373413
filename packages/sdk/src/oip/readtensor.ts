import type { Tensor } from '../tensor.js'
import { fromDatatype, numbersAt, type WireType } from './datatype.js'
import type { Document } from './document.js'
import { numericTensor, readValues } from './values.js'
import type { Fail } from './wire.js'

/** What is being read: the JSON, and the bytes behind it, taken tensor by tensor. */
export interface Source {
  readonly document: Document
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where the next binary tensor begins in `bytes`. */
  offset: number
  /** How many texts of `document.spans` were read. */
  textsRead: number
  readonly tolerant: boolean
  readonly fail: Fail
}

type Members = { readonly [name: string]: unknown }

/** `value` as an object, or the error that it is none. */
export function membersOf(value: unknown, path: string, fail: Fail): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members
  throw fail(path, `${path || 'the body'} must be an object`)
}

/** `parameters` may be left out, and null where a foreign server answers. */
export function parametersOf(
  members: Members,
  path: string,
  source: Pick<Source, 'tolerant' | 'fail'>,
): Members {
  const { parameters } = members
  if (parameters === undefined || (parameters === null && source.tolerant)) return {}
  return membersOf(parameters, `${path ? `${path}.` : ''}parameters`, source.fail)
}

/** Reads one entry of `inputs` or `outputs`. Sizes are checked before memory is taken. */
export function readTensor(entry: unknown, path: string, source: Source): { name: string; tensor: Tensor } {
  const { fail } = source
  const members = membersOf(entry, path, fail)
  const { name, datatype } = members
  if (typeof name !== 'string') throw fail(`${path}.name`, `${path}.name must be a string`)
  const what = `${path.startsWith('inputs') ? 'input' : 'output'} '${name}'`
  const type = typeof datatype === 'string' ? fromDatatype(datatype) : undefined
  if (type === undefined) {
    const known = 'BOOL, UINT8 to UINT64, INT8 to INT64, FP16, FP32, FP64 and BYTES'
    throw fail(
      `${path}.datatype`,
      `invalid datatype ${JSON.stringify(datatype)} of ${what}; known are ${known}`,
    )
  }
  const shape = readShape(members.shape, path, what, fail)
  const count = elements(shape, path, what, type, fail)
  const parameters = parametersOf(members, path, source)
  if (parameters.shared_memory_region !== undefined) {
    throw fail(
      `${path}.parameters`,
      `${what} is in shared memory, which is not supported: send data or binary data`,
    )
  }
  const size = parameters.binary_data_size ?? undefined
  const text = members.data ?? undefined
  if ((size === undefined) === (text === undefined)) {
    throw fail(path, `${what} must set only one of the following fields: data, parameters.binary_data_size`)
  }
  if (text !== undefined) {
    if (type.kind === 'half') {
      throw fail(
        `${path}.data`,
        `receiving FP16 data via JSON is not supported. Please use the binary data format for ${what}`,
      )
    }
    const span = typeof text === 'number' ? source.document.spans[text] : undefined
    if (span === undefined) throw fail(`${path}.data`, `${path}.data must be an array`)
    source.textsRead++
    const { tolerant, document } = source
    const values = { text: document.text, span, path: `${path}.data`, tolerant, fail }
    return { name, tensor: readValues(values, type, shape, count) }
  }
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw fail(
      `${path}.parameters.binary_data_size`,
      `${what}: binary_data_size must be a whole number of bytes`,
    )
  }
  return { name, tensor: readBytes(type, shape, count, size, path, what, source) }
}

function readShape(shape: unknown, path: string, what: string, fail: Fail): number[] {
  if (!Array.isArray(shape)) throw fail(`${path}.shape`, `${what}: shape must be an array of sizes`)
  for (const [index, size] of shape.entries()) {
    if (!Number.isSafeInteger(size) || size < 0) {
      throw fail(`${path}.shape[${index}]`, `${what}: shape[${index}] must be a whole number, 0 or more`)
    }
  }
  return shape
}

/** The checked product of a shape. */
function elements(shape: readonly number[], path: string, what: string, type: WireType, fail: Fail): number {
  if (shape.includes(0)) return 0
  let count = 1
  for (const size of shape) {
    count *= size
    if (!Number.isSafeInteger(count * Math.max(type.bytes, 1))) {
      throw fail(
        `${path}.shape`,
        `${what}: shape [${shape.join(',')}] causes total element count to exceed maximum size of ${Number.MAX_SAFE_INTEGER} bytes`,
      )
    }
  }
  return count
}

function readBytes(
  type: WireType,
  shape: readonly number[],
  count: number,
  size: number,
  path: string,
  what: string,
  source: Source,
): Tensor {
  const { bytes, fail } = source
  const start = source.offset
  const left = bytes.byteLength - start
  if (size > left) {
    const missing = size - left
    throw fail(
      path,
      `unexpected size for ${what}, expecting ${missing} additional bytes (${left} of ${size} arrived)`,
    )
  }
  source.offset += size
  if (type.dtype === 'string') {
    const data = readStrings(bytes.subarray(start, start + size), count, path, what, fail)
    return { dtype: 'string', shape, data }
  }
  if (size !== count * type.bytes) {
    throw fail(path, `input byte size mismatch for ${what}. Expected ${count * type.bytes}, got ${size}`)
  }
  const data = numbersAt(type.dtype, bytes.buffer, bytes.byteOffset + start, count)
  if (type.kind === 'bool') {
    const wrong = data.findIndex((value: number | bigint) => value > 1)
    if (wrong >= 0)
      throw fail(`${path}.data[${wrong}]`, `${what}: byte ${wrong} is ${data[wrong]}, and BOOL takes 0 or 1`)
  }
  return numericTensor(type.dtype, shape, data)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readStrings(bytes: Uint8Array, count: number, path: string, what: string, fail: Fail): string[] {
  const lengths = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const strings: string[] = []
  let at = 0
  while (at < bytes.byteLength) {
    const left = bytes.byteLength - at
    if (left < 4) {
      const expecting = `expecting 4 bytes but only ${left} bytes available`
      throw fail(path, `incomplete string length indicator for ${what}, ${expecting}`)
    }
    const end = at + 4 + lengths.getUint32(at, true)
    if (end > bytes.byteLength) {
      throw fail(
        path,
        `incomplete string ${strings.length} for ${what}: ${end - bytes.byteLength} bytes are missing`,
      )
    }
    if (strings.length === count) break
    try {
      strings.push(utf8.decode(bytes.subarray(at + 4, end)))
    } catch {
      const index = strings.length
      throw fail(
        `${path}.data[${index}]`,
        `${what}: string ${index} is not UTF-8 text, and a model takes nothing else`,
      )
    }
    at = end
  }
  if (strings.length !== count || at < bytes.byteLength) {
    const got = at < bytes.byteLength ? 'more' : String(strings.length)
    throw fail(path, `expected ${count} string elements for ${what}, got ${got}`)
  }
  return strings
}
