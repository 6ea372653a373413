import { expect, it } from 'vitest'
import { decodeResponse, encodeResponse } from './response.js'

const read = (json: string): ReturnType<typeof decodeResponse> =>
  decodeResponse(new TextEncoder().encode(json), null)

it('reads a KServe answer: null for everything optional, flat data', () => {
  const answer = `{"id":null,"model_name":"m","model_version":null,"parameters":null,
    "outputs":[{"name":"y","shape":[2,1],"datatype":"FP32","parameters":null,"data":[6.800000190734863,1]}]}`
  expect(read(answer)).toEqual({
    model: 'm',
    parameters: {},
    outputs: { y: { dtype: 'float32', shape: [2, 1], data: new Float32Array([6.8, 1]) } },
  })
})

it('reads what Triton writes and JSON.parse refuses: bare NaN and infinities', () => {
  const answer =
    '{"model_name":"m","outputs":[{"name":"y","shape":[3],"datatype":"FP32","data":[NaN,-Infinity,Infinity]}]}'
  expect(read(answer).outputs.y?.data).toEqual(new Float32Array([Number.NaN, -Infinity, Infinity]))
})

it('reads an empty binary tensor without a binary part, as Triton sends it', () => {
  const answer = `{"outputs":[{"name":"y","shape":[0],"datatype":"FP32","parameters":{"binary_data_size":0}}]}`
  expect(read(answer).outputs.y).toEqual({ dtype: 'float32', shape: [0], data: new Float32Array() })
})

it('reads the golden half-precision bytes of the KServe tests', () => {
  const bytes = [
    0xcd, 0x46, 0x9a, 0x41, 0xcd, 0x44, 0x9a, 0x3d, 0x00, 0x46, 0xcd, 0x42, 0x80, 0x44, 0x66, 0x3e,
  ]
  const json = `{"outputs":[{"name":"y","shape":[8],"datatype":"FP16","parameters":{"binary_data_size":16}}]}`
  const body = new Uint8Array([...new TextEncoder().encode(json), ...bytes])
  const halves = [0x46cd, 0x419a, 0x44cd, 0x3d9a, 0x4600, 0x42cd, 0x4480, 0x3e66]
  expect(decodeResponse(body, String(json.length)).outputs.y?.data).toEqual(new Uint16Array(halves))
})

it.each([
  ['a page', '<!doctype html><html></html>', "the server's answer can't be read: failed to parse the JSON"],
  ['no outputs', '{"model_name":"m"}', 'it has no array of outputs'],
  [
    'a datatype of tomorrow',
    '{"outputs":[{"name":"y","shape":[1],"datatype":"FP8","data":[1]}]}',
    'invalid datatype "FP8"',
  ],
  ['a torn tensor', '{"outputs":[{"name":"y","shape":[2],"datatype":"INT8","data":[1]}]}', 'holds 1'],
])('says REMOTE for %s', (_what, body, message) => {
  expect(() => read(body)).toThrow(
    expect.objectContaining({ code: 'REMOTE', message: expect.stringContaining(message) }),
  )
})

it('keeps the order of outputs, mixes forms, and asks for parameters last', () => {
  const order: string[] = []
  const strings = new Proxy(['é', '𝄞', ''], {
    get: (target, key) => {
      order.push('written')
      return Reflect.get(target, key)
    },
  })
  const { body, headers } = encodeResponse({
    id: 'a"b',
    model: 'input:0',
    version: '3',
    parameters: () => {
      order.push('parameters')
      return { total_ms: 1.5 }
    },
    outputs: [
      { name: 'text', tensor: { dtype: 'string', shape: [3], data: strings }, binary: true },
      {
        name: 'n',
        tensor: { dtype: 'int64', shape: [], data: new BigInt64Array([9007199254740993n]) },
        binary: false,
      },
    ],
  })
  expect(order.lastIndexOf('written')).toBeLessThan(order.indexOf('parameters'))
  const length = Number(headers['inference-header-content-length'])
  expect([...body.subarray(length)]).toEqual([
    2, 0, 0, 0, 0xc3, 0xa9, 4, 0, 0, 0, 0xf0, 0x9d, 0x84, 0x9e, 0, 0, 0, 0,
  ])
  expect(new TextDecoder().decode(body.subarray(0, length))).toContain('"data":[9007199254740993]')
  expect(decodeResponse(body, String(length))).toEqual({
    id: 'a"b',
    model: 'input:0',
    version: '3',
    parameters: { total_ms: 1.5 },
    outputs: {
      text: { dtype: 'string', shape: [3], data: ['é', '𝄞', ''] },
      n: { dtype: 'int64', shape: [], data: new BigInt64Array([9007199254740993n]) },
    },
  })
})

it('never writes what is not JSON', () => {
  const tensor = { dtype: 'float32', shape: [1], data: new Float32Array([Number.NaN]) } as const
  const outputs = [{ name: 'y', tensor, binary: false }]
  expect(() => encodeResponse({ model: 'm', version: '1', parameters: () => ({}), outputs })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('binary_data: true') }),
  )
})
