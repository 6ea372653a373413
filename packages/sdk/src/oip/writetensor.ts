import type { Tensor } from '../tensor.js'
import { wireType } from './datatype.js'
import { hasLoneSurrogate } from './values.js'
import type { Fail } from './wire.js'

/** A tensor as it goes into a message: its JSON, and its bytes if it is to be binary. */
export interface WrittenTensor {
  readonly json: string
  readonly bytes: Uint8Array | undefined
}

/** @param path the tensor's place in the message, for errors */
export function writeTensor(
  name: string,
  tensor: Tensor,
  binary: boolean,
  path: string,
  fail: Fail,
): WrittenTensor {
  const { datatype } = wireType(tensor.dtype)
  const head = `{"name":${JSON.stringify(name)},"shape":[${tensor.shape.join(',')}],"datatype":"${datatype}"`
  if (!binary) return { json: `${head},"data":[${jsonValues(name, tensor, path, fail)}]}`, bytes: undefined }
  const bytes =
    tensor.dtype === 'string'
      ? writeStrings(name, tensor.data, path, fail)
      : new Uint8Array(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength)
  return { json: `${head},"parameters":{"binary_data_size":${bytes.byteLength}}}`, bytes }
}

function jsonValues(name: string, tensor: Tensor, path: string, fail: Fail): string {
  switch (tensor.dtype) {
    case 'string':
      return tensor.data
        .map((text, index) => JSON.stringify(wellFormed(text, index, name, path, fail)))
        .join(',')
    case 'bool':
      return Array.from(tensor.data, (value) => value !== 0).join(',')
    case 'float16':
      throw fail(
        path,
        `sending FP16 data via JSON is not supported: '${name}' needs the binary form (binary_data: true)`,
      )
    case 'float32':
    case 'float64':
      return Array.from(tensor.data, (value, index) => {
        if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value)
        const hint = `which JSON can't carry: ask for the binary form (binary_data: true)`
        throw fail(`${path}.data[${index}]`, `'${name}' holds ${value} at ${index}, ${hint}`)
      }).join(',')
    default:
      return tensor.data.join(',')
  }
}

function writeStrings(name: string, strings: readonly string[], path: string, fail: Fail): Uint8Array {
  const encoder = new TextEncoder()
  const encoded = strings.map((text, index) => encoder.encode(wellFormed(text, index, name, path, fail)))
  const bytes = new Uint8Array(encoded.reduce((sum, part) => sum + 4 + part.byteLength, 0))
  const lengths = new DataView(bytes.buffer)
  let at = 0
  for (const part of encoded) {
    lengths.setUint32(at, part.byteLength, true)
    bytes.set(part, at + 4)
    at += 4 + part.byteLength
  }
  return bytes
}

function wellFormed(text: string, index: number, name: string, path: string, fail: Fail): string {
  if (!hasLoneSurrogate(text)) return text
  throw fail(
    `${path}.data[${index}]`,
    `'${name}': string ${index} has a lone surrogate, which UTF-8 can't carry`,
  )
}
