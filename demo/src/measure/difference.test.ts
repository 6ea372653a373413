import type { Tensor } from '@tandem/sdk'
import { expect, test } from 'vitest'
import { difference } from './difference.js'

function floats(...values: number[]): Tensor<'float32'> {
  return { dtype: 'float32', shape: [values.length], data: Float32Array.from(values) }
}

test('small outputs differ by their absolute difference', () => {
  expect(difference([floats(0.25, 0.5)], [floats(0.25, 0.75)])).toBe(0.25)
})

test('large outputs differ relative to the reference’s range', () => {
  expect(difference([floats(0, 99)], [floats(0, 100)])).toBe(0.01)
})

test('the worst output counts', () => {
  expect(difference([floats(1), floats(0)], [floats(1), floats(0.5)])).toBe(0.5)
})

test.each([
  ['a value that is not a number', [floats(Number.NaN)], [floats(1)]],
  ['another length', [floats(1, 2)], [floats(1)]],
  ['a missing output', [floats(1)], [floats(1), floats(2)]],
])('%s is infinitely wrong', (_, answer, reference) => {
  expect(difference(answer, reference)).toBe(Number.POSITIVE_INFINITY)
})
