import { expect, it } from 'vitest'
import { InferenceError } from '../error.js'
import type { Tensor } from '../tensor.js'
import { decodeRequest, encodeRequest } from './request.js'

const utf8 = new TextEncoder()
const input = { name: 'x', shape: [2], datatype: 'FP32', data: [1, 2] }
const binaryInput = { name: 'x', shape: [2], datatype: 'FP32', parameters: { binary_data_size: 8 } }

function refusal(body: string | Uint8Array<ArrayBuffer>, jsonLength: string | null = null): InferenceError {
  try {
    decodeRequest(typeof body === 'string' ? utf8.encode(body) : body, jsonLength)
  } catch (error) {
    if (InferenceError.is(error)) return error
    throw error
  }
  throw new Error('the request was taken')
}

const withInput = (changes: object): string => JSON.stringify({ inputs: [{ ...input, ...changes }] })
const withData = (datatype: string, data: string, shape = '[1]'): string =>
  `{"inputs":[{"name":"x","datatype":"${datatype}","data":${data},"shape":${shape}}]}`
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

const refused: [string, string, string | undefined, string | RegExp][] = [
  ['not JSON', 'hello', undefined, 'failed to parse the JSON'],
  ['an empty body', '', undefined, 'failed to parse the JSON'],
  ['a torn body', '{"inputs":[{"name":"x', undefined, 'a string does not end'],
  ['an array', '[1]', undefined, 'the body must be an object'],
  ['no inputs', '{}', 'inputs', "Unable to parse 'inputs'"],
  ['inputs that are no array', '{"inputs":{"data":[1]}}', 'inputs', 'array of inputs'],
  ['an input that is no object', '{"inputs":[3]}', 'inputs[0]', 'must be an object'],
  ['an id that is no string', '{"id":3,"inputs":[]}', 'id', 'id must be a string'],
  ['no name', withInput({ name: undefined }), 'inputs[0].name', 'must be a string'],
  ['a negative size', withInput({ shape: [-1] }), 'inputs[0].shape[0]', '0 or more'],
  ['a shape of text', withInput({ shape: '16' }), 'inputs[0].shape', 'array of sizes'],
  ['a shape of null', withInput({ shape: [null] }), 'inputs[0].shape[0]', '0 or more'],
  ['a shape of fractions', withInput({ shape: [1.5] }), 'inputs[0].shape[0]', '0 or more'],
  ['a shape that is an object', withInput({ shape: {} }), 'inputs[0].shape', 'array of sizes'],
  [
    'too many elements',
    withInput({ shape: [2 ** 31, 2 ** 31, 8] }),
    'inputs[0].shape',
    'exceed maximum size',
  ],
  [
    'a shape larger than its data',
    withInput({ shape: [2 ** 30] }),
    'inputs[0].data',
    'holds 2, and its shape [1073741824]',
  ],
  ['an unknown datatype', withInput({ datatype: 'BF16' }), 'inputs[0].datatype', 'invalid datatype "BF16"'],
  [
    'an inherited name as datatype',
    withInput({ datatype: 'constructor' }),
    'inputs[0].datatype',
    'invalid datatype',
  ],
  ['too few values', withInput({ data: [1] }), 'inputs[0].data', 'holds 1, and its shape [2] takes 2 values'],
  ['too many values', withInput({ data: [1, 2, 3] }), 'inputs[0].data', 'holds 3'],
  [
    'nesting that leaves the shape',
    withInput({ shape: [2, 2], data: [[1, 2], [3]] }),
    'inputs[0].data[1]',
    'inputs[0].data[1] has 1 entries where the shape has 2',
  ],
  [
    'base64 text as data',
    withInput({ data: 'AAAA' }),
    'inputs[0].data[0]',
    'is "AAAA", and FP32 takes numbers',
  ],
  ['one number for a list', withInput({ shape: [1], data: 1 }), 'inputs[0].data', 'must be an array'],
  ['an object as data', withInput({ data: { 0: 1 } }), 'inputs[0].data[0]', 'FP32 takes numbers'],
  ['null as a value', withInput({ data: [1, null] }), 'inputs[0].data[1]', 'is null, and FP32 takes numbers'],
  ['a bare NaN', withData('FP32', '[NaN]'), 'inputs[0].data[0]', 'is NaN'],
  ['a number beyond float32', withData('FP32', '[1e39]'), 'inputs[0].data[0]', 'numbers in its range'],
  ['a number beyond float64', withData('FP64', '[1e400]'), 'inputs[0].data[0]', 'numbers in its range'],
  [
    'a leading zero',
    withData('FP32', '[01]'),
    'inputs[0].data',
    'failed to parse the JSON of inputs[0].data',
  ],
  ['a hexadecimal number', withData('FP32', '[0x1]'), 'inputs[0].data', 'failed to parse'],
  ['a trailing comma', withData('FP32', '[1,]'), 'inputs[0].data', 'failed to parse'],
  ['a missing comma', withData('FP32', '[1 2]', '[2]'), 'inputs[0].data', 'failed to parse'],
  ['an open list', '{"inputs":[{"data":[1', undefined, 'missing or torn'],
  ['no value', withData('FP32', ''), undefined, 'missing or torn'],
  ['crossed brackets', withData('FP32', '[1}'), 'inputs[0].data', 'failed to parse'],
  [
    'a float for an integer',
    withData('INT32', '[1.0]'),
    'inputs[0].data[0]',
    'is 1.0, and INT32 takes integers',
  ],
  ['an exponent for an integer', withData('INT64', '[1e3]'), 'inputs[0].data[0]', 'is 1e3, and INT64 takes'],
  [
    '300 for UINT8',
    withData('UINT8', '[7,300]', '[2]'),
    'inputs[0].data[1]',
    'is 300, and UINT8 takes integers from 0 to 255',
  ],
  ['-1 for UINT64', withData('UINT64', '[-1]'), 'inputs[0].data[0]', 'from 0 to 18446744073709551615'],
  [
    '2^63 for INT64',
    withData('INT64', '[9223372036854775808]'),
    'inputs[0].data[0]',
    'to 9223372036854775807',
  ],
  ['1 for BOOL', withData('BOOL', '[1]'), 'inputs[0].data[0]', 'BOOL takes true or false'],
  ['a number for BYTES', withData('BYTES', '[1]'), 'inputs[0].data[0]', 'BYTES takes strings'],
  ['a lone surrogate', withData('BYTES', '["\\ud800"]'), 'inputs[0].data[0]', 'lone surrogates'],
  ['a control character', withData('BYTES', '["\n"]'), 'inputs[0].data[0]', 'JSON strings'],
  [
    'FP16 as JSON',
    withData('FP16', '[1]'),
    'inputs[0].data',
    'receiving FP16 data via JSON is not supported',
  ],
  ['data twice', withData('FP32', '[1],"data":[2]'), 'inputs', 'stands twice'],
  [
    'nesting of 100',
    withData('FP32', nested(100)),
    undefined,
    'JSON nesting depth exceeds maximum allowed limit (100)',
  ],
  ['nesting of 100,000 elsewhere', `{"x":${nested(100_000)}}`, undefined, 'nesting depth'],
  [
    'nothing to read',
    withInput({ data: undefined }),
    'inputs[0]',
    'must set only one of the following fields',
  ],
  ['two sources', withInput({ parameters: { binary_data_size: 8 } }), 'inputs[0]', 'must set only one'],
  [
    'shared memory',
    withInput({ data: undefined, parameters: { shared_memory_region: 'r' } }),
    'inputs[0].parameters',
    'shared memory',
  ],
  [
    'an input twice',
    JSON.stringify({ inputs: [input, input] }),
    'inputs[1].name',
    "input 'x' already exists in request",
  ],
  [
    'an output twice',
    JSON.stringify({ inputs: [], outputs: [{ name: 'y' }, { name: 'y' }] }),
    'outputs[1].name',
    "output 'y' already exists in request",
  ],
  [
    'a parameter that is a list',
    JSON.stringify({ inputs: [], parameters: { a: [1] } }),
    'parameters.a',
    "parameter 'a' must be a string, a number or a boolean",
  ],
  [
    'classification',
    JSON.stringify({ inputs: [], outputs: [{ name: 'y', parameters: { classification: 3 } }] }),
    'outputs[0].parameters.classification',
    'classification is not supported',
  ],
]

it.each(refused)('refuses %s', (_what, body, path, message) => {
  const error = refusal(body)
  expect(error.code).toBe('INVALID_INPUT')
  expect(error.message).toContain(message)
  expect(error.data?.path).toBe(path)
})

function binary(header: object, bytes: number): { body: Uint8Array<ArrayBuffer>; length: string } {
  const json = utf8.encode(JSON.stringify(header))
  const body = new Uint8Array(json.byteLength + bytes)
  body.set(json)
  return { body, length: String(json.byteLength) }
}

it.each([
  [
    'fewer bytes than declared',
    [binaryInput],
    7,
    "unexpected size for input 'x', expecting 1 additional bytes",
  ],
  [
    'more bytes than declared',
    [binaryInput],
    9,
    'unexpected additional input data: 1 bytes more than declared',
  ],
  ['bytes that differ from the shape', [{ ...binaryInput, shape: [3] }], 8, 'Expected 12, got 8'],
  ['a size of text', [{ ...binaryInput, parameters: { binary_data_size: '8' } }], 8, 'whole number of bytes'],
  ['a negative size', [{ ...binaryInput, parameters: { binary_data_size: -8 } }], 8, 'whole number of bytes'],
  ['a huge shape', [{ ...binaryInput, shape: [2 ** 40] }], 8, 'Expected 4398046511104, got 8'],
  [
    'a torn length of a string',
    [{ name: 'x', shape: [1], datatype: 'BYTES', parameters: { binary_data_size: 3 } }],
    3,
    "incomplete string length indicator for input 'x', expecting 4 bytes but only 3 bytes available",
  ],
  [
    'too many strings',
    [{ name: 'x', shape: [1], datatype: 'BYTES', parameters: { binary_data_size: 8 } }],
    8,
    "expected 1 string elements for input 'x', got more",
  ],
  [
    'too few strings',
    [{ name: 'x', shape: [2], datatype: 'BYTES', parameters: { binary_data_size: 4 } }],
    4,
    "expected 2 string elements for input 'x', got 1",
  ],
])('refuses binary data with %s', (_what, inputs, bytes, message) => {
  const { body, length } = binary({ inputs }, bytes)
  expect(refusal(body, length)).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(message),
  })
})

it.each([
  ['abc', 'Unable to parse Inference-Header-Content-Length, got: abc'],
  ['12abc', 'Unable to parse Inference-Header-Content-Length, got: 12abc'],
  ['', 'Unable to parse Inference-Header-Content-Length'],
  ['-1', 'inference header size should be in range (0, 13), got: -1'],
  ['99999999999', 'should be in range (0, 13), got: 99999999999'],
  ['0', 'raw binary requests'],
])('refuses the header length %j', (length, message) => {
  expect(refusal(utf8.encode('{"inputs":[]}'), length).message).toContain(message)
})

it('refuses a string that is torn, that is not UTF-8, and a boolean that is neither 0 nor 1', () => {
  const request = (datatype: string, ...bytes: number[]): InferenceError => {
    const parameters = { binary_data_size: bytes.length }
    const { body, length } = binary(
      { inputs: [{ name: 'x', shape: [1], datatype, parameters }] },
      bytes.length,
    )
    body.set(bytes, Number(length))
    return refusal(body, length)
  }
  expect(request('BYTES', 9, 0, 0, 0, 65).message).toContain('incomplete string 0')
  expect(request('BYTES', 1, 0, 0, 0, 0xff).message).toContain('string 0 is not UTF-8')
  expect(request('BOOL', 2).message).toContain('BOOL takes 0 or 1')
})

it('reads 64-bit integers exactly, whatever the order of members', () => {
  const digits = ['9007199254740993', '-9223372036854775808', '9223372036854775807']
  const body = utf8.encode(withData('INT64', `[${digits.join(', ')}]`, '[3]'))
  expect(decodeRequest(body, null).inputs[0]?.tensor.data).toEqual(new BigInt64Array(digits.map(BigInt)))
})

it('counts leaves, so flat data, nested data, a deep scalar and one bare scalar are taken', () => {
  const read = (data: string, shape: string): unknown =>
    decodeRequest(utf8.encode(withData('INT32', data, shape)), null).inputs[0]?.tensor.data
  expect(read('[1,2,3,4]', '[2,2]')).toEqual(new Int32Array([1, 2, 3, 4]))
  expect(read('[[1,2],[3,4]]', '[2,2]')).toEqual(new Int32Array([1, 2, 3, 4]))
  expect(read('[[1],[2,3]]', '[3]')).toEqual(new Int32Array([1, 2, 3]))
  expect(read(`${'['.repeat(50)}7${']'.repeat(50)}`, '[1,1]')).toEqual(new Int32Array([7]))
  expect(read('[7]', '[]')).toEqual(new Int32Array([7]))
  expect(read('7', '[]')).toEqual(new Int32Array([7]))
  expect(read('[]', '[0,5]')).toEqual(new Int32Array([]))
  expect(read('[[],[]]', '[2,0]')).toEqual(new Int32Array([]))
})

it('reads the three strings for what JSON numbers cannot say, and keeps the sign of zero', () => {
  const body = utf8.encode(withData('FP32', '["NaN","Infinity","-Infinity",-0]', '[4]'))
  const data = decodeRequest(body, null).inputs[0]?.tensor.data
  expect(data).toEqual(new Float32Array([Number.NaN, Infinity, -Infinity, -0]))
})

it('is not misled by a data member elsewhere, escaped, or named by a string', () => {
  const elsewhere = `{"data":[1],"extra":{"data":{"data":[2]}},"inputs":[{"name":"data","x":["data"],"shape":[1],"datatype":"FP32","d\\u0061ta" : [3] }]}`
  expect(decodeRequest(utf8.encode(elsewhere), null).inputs[0]?.tensor.data).toEqual(new Float32Array([3]))
})

it('takes the default of outputs only where none are listed, as Triton and KServe do', () => {
  const read = (outputs: object[] | undefined): unknown => {
    const request = { inputs: [input], outputs, parameters: { binary_data_output: true } }
    const { outputs: listed, binaryOutput } = decodeRequest(utf8.encode(JSON.stringify(request)), null)
    return { listed, binaryOutput }
  }
  expect(read(undefined)).toEqual({ listed: undefined, binaryOutput: true })
  expect(read([])).toEqual({ listed: undefined, binaryOutput: true })
  expect(read([{ name: 'y' }])).toEqual({ listed: [{ name: 'y', binary: false }], binaryOutput: true })
})

it('survives names that mean something to JavaScript', () => {
  const tensor = { dtype: 'int8', shape: [1], data: new Int8Array([5]) } as const
  const { body, headers } = encodeRequest({ inputs: [{ name: '__proto__', tensor }] }, { binary: true })
  const { inputs } = decodeRequest(body, headers['inference-header-content-length'] ?? null)
  expect(inputs).toEqual([{ name: '__proto__', tensor }])
})

it('names the value that JSON or UTF-8 can not carry', () => {
  const encode = (dtype: 'float32' | 'string', data: Float32Array | string[], binary: boolean): unknown =>
    encodeRequest({ inputs: [{ name: 'x', tensor: { dtype, shape: [2], data } as Tensor }] }, { binary })
  expect(() => encode('float32', new Float32Array([1, Number.NaN]), false)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', data: { path: 'inputs[0].data[1]' } }),
  )
  expect(() => encode('string', ['a', '\ud800'], true)).toThrow('lone surrogate')
})
