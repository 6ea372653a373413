import { expect, test } from 'vitest'
import { ms, off } from './format.js'

test.each([
  [0.00012, '< 0.001'],
  [0.1234, '0.123'],
  [4.567, '4.57'],
  [78.91, '78.9'],
  [1234.5, '1235'],
  [0, '0'],
  [null, '–'],
])('%s ms reads %s', (value, text) => {
  expect(ms(value)).toBe(text)
})

test.each([
  [0, '0'],
  [3.14e-7, '3.1e-7'],
  [0.623, '0.62'],
  [Number.POSITIVE_INFINITY, 'not comparable'],
])('a difference of %s reads %s', (value, text) => {
  expect(off(value)).toBe(text)
})
