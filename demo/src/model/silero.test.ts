import { expect, test } from 'vitest'
import { chunkCount, chunks, speechSpans } from './silero.js'

test('each chunk stands behind the last 64 samples of the one before', () => {
  const samples = Float32Array.from({ length: 1200 }, (_, i) => i + 1)
  const [first, second, third, ...rest] = chunks(samples)
  expect(rest).toEqual([])
  expect(chunkCount(samples)).toBe(3)
  expect(first?.subarray(0, 64).every((value) => value === 0)).toBe(true)
  expect(first?.[64]).toBe(1)
  expect(first?.at(-1)).toBe(512)
  expect(second?.[0]).toBe(449)
  expect(second?.[64]).toBe(513)
  expect(third?.[0]).toBe(961)
  expect(third?.[64 + 175]).toBe(1200)
  expect(third?.[64 + 176]).toBe(0)
})

test('an empty recording has no chunk', () => {
  expect([...chunks(new Float32Array(0))]).toEqual([])
})

test('spans of speech are given in seconds, the last one to the end', () => {
  expect(speechSpans([0, 0.9, 0.5, 0.49, 0, 1])).toEqual([
    [0.032, 0.096],
    [0.16, 0.192],
  ])
  expect(speechSpans([0, 0.1])).toEqual([])
})
