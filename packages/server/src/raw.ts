import { InferenceError, type Port } from '@tandem/sdk'
import { wireType } from '@tandem/sdk/oip'

/** A raw binary request as one with its JSON: what `decodeRequest` takes. */
export interface Wrapped {
  readonly body: Uint8Array<ArrayBuffer>
  readonly jsonLength: string
}

/**
 * Part of the binary extension: with Inference-Header-Content-Length 0 the body is the one input's bytes and nothing else. Name,
 * datatype and shape are the model's, one variable dimension follows from the length, and every output comes binary.
 * @throws InferenceError INVALID_INPUT where that does not settle it
 */
export function wrapRaw(body: Uint8Array<ArrayBuffer>, inputs: readonly Port[], model: string): Wrapped {
  const [port] = inputs
  if (port === undefined || inputs.length > 1) {
    const problem = `must only have 1 input to be deduced but got ${inputs.length} inputs in '${model}' model`
    throw new InferenceError('INVALID_INPUT', `Raw request ${problem}`)
  }
  const isText = port.dtype === 'string'
  const shape = isText ? textShape(port) : deduced(port, body.byteLength)
  const prefix = isText ? 4 : 0
  const json = new TextEncoder().encode(
    JSON.stringify({
      parameters: { binary_data_output: true },
      inputs: [
        {
          name: port.name,
          shape,
          datatype: wireType(port.dtype).datatype,
          parameters: { binary_data_size: prefix + body.byteLength },
        },
      ],
    }),
  )
  // Aligned for every dtype, as any client of ours would send it.
  const jsonLength = Math.ceil(json.byteLength / 8) * 8
  const wrapped = new Uint8Array(jsonLength + prefix + body.byteLength)
  wrapped.fill(0x20, 0, jsonLength)
  wrapped.set(json)
  if (isText) new DataView(wrapped.buffer).setUint32(jsonLength, body.byteLength, true)
  wrapped.set(body, jsonLength + prefix)
  return { body: wrapped, jsonLength: String(jsonLength) }
}

function textShape({ name, shape }: Port): number[] {
  if (shape.length === 1 && (shape[0] === 1 || typeof shape[0] === 'string')) return [1]
  const message = `For BYTES datatype raw input '${name}', the model must have input shape [1]`
  throw new InferenceError('INVALID_INPUT', message)
}

function deduced({ name, dtype, shape }: Port, byteLength: number): number[] {
  const variable = shape.filter((size) => typeof size === 'string').length
  if (variable > 1) {
    const reason = 'there are more than one variable-sized dimension'
    throw new InferenceError(
      'INVALID_INPUT',
      `The shape of the raw input '${name}' can not be deduced because ${reason}`,
    )
  }
  const row = shape.reduce<number>(
    (bytes, size) => bytes * (typeof size === 'number' ? size : 1),
    wireType(dtype).bytes,
  )
  const size = row === 0 ? 0 : byteLength / row
  if (variable === 1 && !Number.isInteger(size)) {
    const message = `The shape of the raw input '${name}' can not be deduced: ${byteLength} bytes are no multiple of ${row}`
    throw new InferenceError('INVALID_INPUT', message)
  }
  return shape.map((fixed) => (typeof fixed === 'number' ? fixed : size))
}
