import { expect, it } from 'vitest'
import { InferenceError } from '../error.js'
import { fromWire, toWire } from './error.js'

it('an error crosses with code, data and causes, and is an InferenceError on the other side', () => {
  const inner = new TypeError('inner')
  const error = new InferenceError('UNSUPPORTED', 'outer', {
    cause: new Error('middle', { cause: inner }),
    data: { names: ['x'] },
  })
  const back = fromWire(structuredClone(toWire(error)))
  expect(InferenceError.is(back, 'UNSUPPORTED')).toBe(true)
  expect(back).toMatchObject({
    message: 'outer',
    data: { names: ['x'] },
    cause: { message: 'middle', cause: { name: 'TypeError', message: 'inner' } },
  })
})

it('whatever was thrown crosses, cycles included', () => {
  expect(fromWire(toWire(9636832)).message).toBe('9636832')
  expect(fromWire(toWire(undefined)).message).toBe('undefined')
  const loop = new Error('loop')
  loop.cause = loop
  expect(fromWire(structuredClone(toWire(loop))).message).toBe('loop')
})
