import { describe, expect, it } from 'vitest'
import { InferenceError } from './error.js'
import type { Port } from './session.js'
import { tensor } from './tensor.js'
import { validateFeeds } from './validate.js'

const ports: readonly Port[] = [
  { name: 'input:0', dtype: 'float32', shape: ['batch', 3, '', 4] },
  { name: 'sr', dtype: 'int64', shape: [] },
  { name: 'state', dtype: 'float32', shape: [2, 'batch'] },
]
const good = {
  'input:0': tensor('float32', new Float32Array(24), [1, 3, 2, 4]),
  sr: tensor('int64', [16000], []),
  state: tensor('float32', [1, 2], [2, 1]),
}

function problem(feeds: unknown, outputs?: readonly string[]): { path: unknown; message: string } {
  try {
    validateFeeds(feeds, ports, {
      model: 'net',
      outputs: { wanted: outputs, ports: [{ name: 'y', dtype: 'float32', shape: [] }] },
    })
  } catch (error) {
    if (InferenceError.is(error, 'INVALID_INPUT')) return { path: error.data?.path, message: error.message }
    throw error
  }
  return { path: undefined, message: 'valid' }
}

describe('validateFeeds()', () => {
  it('lets good feeds pass, whatever size an empty symbol or an unknown rank has', () => {
    expect(problem(good).message).toBe('valid')
    expect(problem({ ...good, sr: tensor('int64', [16000], [1]) }).message).toBe('valid')
    const wide = tensor('float32', new Float32Array(12 * 9), [1, 3, 9, 4])
    expect(problem({ ...good, 'input:0': wide }).message).toBe('valid')
  })

  it('says where in a path that also fits awkward names, and what the model takes', () => {
    const { 'input:0': _, ...rest } = good
    expect(problem(rest)).toEqual({
      path: 'feeds["input:0"]',
      message:
        'net: input "input:0" is missing; the model takes "input:0": float32[batch, 3, ?, 4], "sr": int64[], "state": float32[2, batch].',
    })
  })

  it.each<[string, unknown, string, string]>([
    [
      'one symbol of two sizes',
      { ...good, state: tensor('float32', [1, 2, 3, 4], [2, 2]) },
      'feeds.state.shape[1]',
      '"batch" = 2',
    ],
    [
      'a wrong fixed dimension',
      { ...good, state: tensor('float32', [1], [1, 1]) },
      'feeds.state.shape[0]',
      'must be 2',
    ],
    ['a name too many', { ...good, extra: good.sr }, 'feeds.extra', 'there is no input "extra"'],
    ['a dtype that is none', { ...good, sr: { ...good.sr, dtype: 'long' } }, 'feeds.sr.dtype', 'no dtype'],
    [
      'the wrong array',
      { ...good, sr: { ...good.sr, data: new Int32Array(1) } },
      'feeds.sr.data',
      "tensor('int64', …)",
    ],
    ['no tensor', { ...good, sr: 16000 }, 'feeds.sr', 'tensor(dtype, data, shape)'],
    ['null', { ...good, sr: null }, 'feeds.sr', 'tensor(dtype, data, shape)'],
    ['inherited names', Object.create(good), 'feeds["input:0"]', 'missing'],
    ['a list', [good], 'feeds', 'object of tensors'],
  ])('refuses %s', (_what, feeds, path, text) => {
    const found = problem(feeds)
    expect(found.path).toBe(path)
    expect(found.message).toContain(text)
  })

  it('tells a buffer that was moved away from one that is too short', () => {
    const data = new Float32Array(2)
    structuredClone(data.buffer, { transfer: [data.buffer] })
    expect(problem({ ...good, state: { ...good.state, data } }).message).toContain('transfer: true')
    expect(problem({ ...good, state: { ...good.state, data: new Float32Array(1) } }).message).not.toContain(
      'transfer',
    )
  })

  it('refuses values that a runtime would silently change', () => {
    const check = (port: Port, value: unknown): void => validateFeeds({ x: value }, [port], { model: 'net' })
    const text: Port = { name: 'x', dtype: 'string', shape: ['n'] }
    expect(() => check(text, tensor('string', ['ok', 'cut\0off']))).toThrow('string 1')
    expect(() => check(text, tensor('string', ['\ud800']))).toThrow('surrogate')
    expect(() => check(text, tensor('string', ['\u{1f600}']))).not.toThrow()
    const flag: Port = { name: 'x', dtype: 'bool', shape: ['n'] }
    expect(() => check(flag, { dtype: 'bool', shape: [2], data: new Uint8Array([1, 2]) })).toThrow(
      'value 1 must be 0 or 1',
    )
  })

  it('checks the outputs asked for', () => {
    expect(problem(good, ['y']).message).toBe('valid')
    expect(problem(good, ['y', 'z'])).toEqual({
      path: 'outputs[1]',
      message: 'net: there is no output "z"; the model gives "y".',
    })
    expect(problem(good, []).path).toBe('outputs')
  })
})
