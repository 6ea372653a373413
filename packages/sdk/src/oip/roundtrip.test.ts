import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DType, Tensor } from '../tensor.js'
import { decodeRequest, encodeRequest } from './request.js'
import { decodeResponse, encodeResponse } from './response.js'
import type { Encoded } from './wire.js'

const jsonLength = ({ headers }: Encoded): string | null => headers['inference-header-content-length'] ?? null

const shapes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 })
const finite = { noNaN: true, noDefaultInfinity: true }
const unicode = fc.string({ unit: fc.constantFrom('a', '"', '\\', 'é', '語', '𝄞', '\u0000', '\n', ' ', '') })

const values: {
  readonly [D in DType]: (length: number, binary: boolean) => fc.Arbitrary<Tensor<D>['data']>
} = {
  float32: (length, binary) =>
    fc.float32Array({ minLength: length, maxLength: length, ...(binary ? {} : finite) }),
  float64: (length, binary) =>
    fc.float64Array({ minLength: length, maxLength: length, ...(binary ? {} : finite) }),
  float16: (length) => fc.uint16Array({ minLength: length, maxLength: length }),
  int8: (length) => fc.int8Array({ minLength: length, maxLength: length }),
  int16: (length) => fc.int16Array({ minLength: length, maxLength: length }),
  int32: (length) => fc.int32Array({ minLength: length, maxLength: length }),
  int64: (length) => fc.bigInt64Array({ minLength: length, maxLength: length }),
  uint8: (length) => fc.uint8Array({ minLength: length, maxLength: length }),
  uint16: (length) => fc.uint16Array({ minLength: length, maxLength: length }),
  uint32: (length) => fc.uint32Array({ minLength: length, maxLength: length }),
  uint64: (length) => fc.bigUint64Array({ minLength: length, maxLength: length }),
  bool: (length) => fc.uint8Array({ minLength: length, maxLength: length, max: 1 }),
  string: (length) => fc.array(unicode, { minLength: length, maxLength: length }),
}

const dtypes = Object.keys(values) as DType[]

function tensorOf(dtype: DType, binary: boolean): fc.Arbitrary<Tensor> {
  return shapes.chain((shape) => {
    const count = shape.reduce((product, size) => product * size, 1)
    return values[dtype](count, binary).map((data) => ({ dtype, shape, data }) as Tensor)
  })
}

/** Bit for bit: NaN payloads and the sign of zero count. */
function bits(tensor: Tensor): unknown {
  if (tensor.dtype === 'string') return tensor
  const { buffer, byteOffset, byteLength } = tensor.data
  return {
    dtype: tensor.dtype,
    shape: tensor.shape,
    bytes: [...new Uint8Array(buffer, byteOffset, byteLength)],
  }
}

describe.each(dtypes)('%s', (dtype) => {
  it.each(dtype === 'float16' ? ['binary'] : ['binary', 'json'])(
    'survives request and answer as %s',
    (form) => {
      const binary = form === 'binary'
      fc.assert(
        fc.property(tensorOf(dtype, binary), fc.string(), (tensor, name) => {
          const request = encodeRequest({ inputs: [{ name, tensor }] }, { binary })
          const { inputs } = decodeRequest(request.body, jsonLength(request))
          expect(inputs.map((input) => input.name)).toEqual([name])
          expect(inputs[0]?.tensor.data.constructor).toBe(tensor.data.constructor)
          expect(inputs[0] && bits(inputs[0].tensor)).toEqual(bits(tensor))
          const outputs = [{ name, tensor, binary }]
          const answer = encodeResponse({ model: 'm', version: '1', parameters: () => ({}), outputs })
          const read = decodeResponse(answer.body, jsonLength(answer)).outputs[name]
          expect(read && bits(read)).toEqual(bits(tensor))
        }),
      )
    },
  )
})

it('keeps any mix of tensors, names, forms and parameters', () => {
  const tensor = fc.constantFrom(...dtypes).chain((dtype) => tensorOf(dtype, true))
  const entries = fc.uniqueArray(fc.record({ name: fc.string(), tensor }), {
    selector: ({ name }) => name,
    maxLength: 6,
  })
  fc.assert(
    fc.property(entries, fc.string({ minLength: 1 }), (list, id) => {
      const parameters = { timeout: 1500, flag: true, note: 'x"y' }
      const outputs =
        list.length > 0 ? list.map(({ name }, index) => ({ name, binary: index % 2 === 0 })) : undefined
      const request = encodeRequest({ id, parameters, inputs: list, outputs }, { binary: true })
      const read = decodeRequest(request.body, jsonLength(request))
      expect({ id: read.id, parameters: read.parameters, outputs: read.outputs }).toEqual({
        id,
        parameters,
        outputs,
      })
      const byName = (tensors: typeof list): unknown =>
        new Map(tensors.map(({ name, tensor }) => [name, bits(tensor)]))
      expect(byName([...read.inputs])).toEqual(byName(list))
    }),
  )
})

it('refuses float16 as JSON in a request and in an answer, and says what to do', () => {
  const half: Tensor = { dtype: 'float16', shape: [1], data: new Uint16Array([0x46cd]) }
  const refusal = expect.objectContaining({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('binary'),
  })
  expect(() => encodeRequest({ inputs: [{ name: 'x', tensor: half }] }, { binary: false })).toThrow(refusal)
  const outputs = [{ name: 'y', tensor: half, binary: false }]
  expect(() => encodeResponse({ model: 'm', version: '1', parameters: () => ({}), outputs })).toThrow(refusal)
})

it('gives views of the body where the offset is aligned, and copies where it is not', () => {
  const inputs: { name: string; tensor: Tensor }[] = [
    { name: 'flag', tensor: { dtype: 'bool', shape: [3], data: new Uint8Array([1, 0, 1]) } },
    { name: 'text', tensor: { dtype: 'string', shape: [1], data: ['abc'] } },
    { name: 'wide', tensor: { dtype: 'int64', shape: [1], data: new BigInt64Array([7n]) } },
    { name: 'image', tensor: { dtype: 'float32', shape: [2], data: new Float32Array([1, 2]) } },
  ]
  const { body, headers } = encodeRequest({ inputs }, { binary: true })
  const length = headers['inference-header-content-length'] ?? ''
  expect(Number(length) % 8).toBe(0)
  const buffersOf = (bytes: Uint8Array<ArrayBuffer>): unknown[] =>
    decodeRequest(bytes, length).inputs.flatMap(({ tensor: { data } }) =>
      'buffer' in data ? data.buffer : [],
    )
  expect(buffersOf(body)).toEqual([body.buffer, body.buffer, body.buffer])
  const shifted = new Uint8Array(new ArrayBuffer(body.byteLength + 1), 1)
  shifted.set(body)
  expect(buffersOf(shifted).map((buffer) => buffer === shifted.buffer)).toEqual([false, false, true])
  expect(decodeRequest(shifted, length).inputs[1]?.tensor.data).toEqual(new Float32Array([1, 2]))
})
