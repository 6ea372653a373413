import { expect, test } from 'vitest'
import { curve, outline } from './wave.js'

test('an outline has a stroke for each column, from the loudest to the lowest sample, scaled to the peak', () => {
  expect(outline(Float32Array.of(0, 0.5, -0.5, 0), 2, 100)).toBe('M0.5 4.0V50.0M1.5 50.0V96.0')
})

test('a recording shorter than the picture still has every column', () => {
  expect(outline(Float32Array.of(1), 3, 100).match(/M/g)).toHaveLength(3)
})

test('a curve goes through the middle of each chunk and stops where nothing was heard yet', () => {
  expect(curve([0, 1, 0.25, Number.NaN, 1], 10, 200)).toBe('M5.0 200.0L15.0 0.0L25.0 150.0')
})
