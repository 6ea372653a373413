import { expect, test } from 'vitest'
import { chunkCount, speechSpans } from './silero.js'

test('a started chunk counts', () => {
  expect([0, 1, 512, 513].map((length) => chunkCount(new Float32Array(length)))).toEqual([0, 1, 1, 2])
})

test('spans of speech are given in seconds, the last one to the end', () => {
  expect(speechSpans([0, 0.9, 0.5, 0.49, 0, 1])).toEqual([
    [0.032, 0.096],
    [0.16, 0.192],
  ])
  expect(speechSpans([0, 0.1])).toEqual([])
})
