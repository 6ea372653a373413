import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { fromFloat16 } from './float16.js'
import { output } from './output.js'
import { byteSize, type DType, elementCount, isDataOf, tensor } from './tensor.js'

describe('tensor()', () => {
  it('takes the right array as it is, without a copy', () => {
    const data = new Float32Array([1, 2, 3, 4])
    const made = tensor('float32', data, [2, 2])
    expect(made.data).toBe(data)
    expect(made).toEqual({ dtype: 'float32', shape: [2, 2], data })
  })

  it('converts plain values, and defaults to one dimension', () => {
    expect(tensor('int64', [1, -2])).toEqual({
      dtype: 'int64',
      shape: [2],
      data: new BigInt64Array([1n, -2n]),
    })
    expect(tensor('bool', [true, false, true]).data).toEqual(new Uint8Array([1, 0, 1]))
    expect(tensor('string', ['a', 'b'], [2, 1]).shape).toEqual([2, 1])
    expect(tensor('int32', [7], [])).toEqual({ dtype: 'int32', shape: [], data: new Int32Array([7]) })
    expect(tensor('int64', new Int32Array([5])).data).toEqual(new BigInt64Array([5n]))
    expect(fromFloat16(tensor('float16', [1.5, -2]).data)).toEqual(new Float32Array([1.5, -2]))
    expect(tensor('float32', []).shape).toEqual([0])
  })

  it.each<[DType, unknown]>([
    ['uint8', 300],
    ['uint8', -1],
    ['int8', 128],
    ['uint16', 65536],
    ['int16', -32769],
    ['int32', 0.5],
    ['int32', 2 ** 31],
    ['uint32', -1],
    ['uint32', 2 ** 32],
    ['int64', 2 ** 53],
    ['int64', 0.5],
    ['int64', 2n ** 63n],
    ['int64', -(2n ** 63n) - 1n],
    ['uint64', -1n],
    ['uint64', 2n ** 64n],
    ['uint64', -1],
    ['int32', Number.NaN],
    ['bool', 2],
    ['float16', 65520],
    ['float32', 3.5e38],
    ['float32', '1'],
    ['string', 1],
    ['uint8', null],
  ])('a value that does not fit %s is an error, never wrapped: %s', (dtype, value) => {
    const make = (): unknown => tensor(dtype, [value] as never)
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', data: { path: 'data[0]' } }))
  })

  it('rounds floats, and lets infinities and NaN through', () => {
    expect(tensor('float32', [3.4028235e38, Infinity, Number.NaN]).data).toEqual(
      new Float32Array([3.4028234663852886e38, Infinity, Number.NaN]),
    )
    expect(tensor('float16', [65519, -Infinity]).data).toEqual(new Uint16Array([0x7bff, 0xfc00]))
  })

  it('refuses a shape that does not hold the values, and a dtype that is none', () => {
    expect(() => tensor('float32', [1, 2, 3], [2, 2])).toThrow('holds 4 value(s) but 3 were given')
    expect(() => tensor('float32', [1], [-1])).toThrow('whole numbers')
    expect(() => tensor('float32', [1], [1.5])).toThrow('whole numbers')
    expect(() => tensor('float8' as 'float32', [1])).toThrow('float32, float64')
  })

  it.each([
    [null, [1]],
    [undefined, [1]],
    [5, [1]],
    [[1, 2], null],
    [[1, 2], 'ab'],
  ])('refuses values %j of shape %j', (values, shape) => {
    const make = (): unknown => tensor('float32', values as never, shape as never)
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    if (values === null || values === undefined)
      expect(() => tensor('float32', values as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT' }),
      )
  })

  it('knows arrays of another window or thread, and a Buffer', () => {
    expect(isDataOf('float32', runInNewContext('new Float32Array(1)'))).toBe(true)
    expect(isDataOf('uint8', Buffer.from([1]))).toBe(true)
    expect(isDataOf('float32', new Float64Array(1))).toBe(false)
    expect(isDataOf('uint8', { [Symbol.toStringTag]: 'Uint8Array', length: 1 })).toBe(false)
  })

  it('counts elements and bytes', () => {
    expect([elementCount([]), elementCount([2, 0, 3]), elementCount([2, 3])]).toEqual([1, 0, 6])
    expect(byteSize(tensor('int64', [1, 2]))).toBe(16)
    expect(byteSize(tensor('string', ['ab', 'c']))).toBe(6)
  })
})

it('output() gives one output by name, or names those there are', () => {
  const outputs = { 'logits:0': tensor('float32', [1]) }
  expect(output({ outputs }, 'logits:0').data[0]).toBe(1)
  expect(() => output({ outputs }, 'scores' as 'logits:0')).toThrow('this run gave "logits:0"')
  expect(() => output({ outputs }, 'toString' as 'logits:0')).toThrow('no output "toString"')
})
