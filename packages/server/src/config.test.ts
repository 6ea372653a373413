import { expect, it } from 'vitest'
import { parseConfig } from './config.js'

it('takes what it knows', () => {
  const config = { maxQueueSize: 0, device: ['cuda', 'cpu'], threads: 2 }
  expect(parseConfig(JSON.stringify(config))).toEqual(config)
  expect(parseConfig('{}')).toEqual({})
})

it.each([
  ['[]', 'must be an object'],
  ['{', 'is not JSON'],
  ['{"max_batch_size":8}', "unknown key 'max_batch_size'; known are maxQueueSize, device, threads"],
  ['{"toString":8}', "unknown key 'toString'"],
  ['{"maxQueueSize":-1}', 'wrong maxQueueSize: it must be a whole number, 0 or more'],
  ['{"threads":0}', 'wrong threads'],
  ['{"device":[]}', 'wrong device'],
])('refuses %s', (text, message) => {
  expect(() => parseConfig(text)).toThrow(message)
})
