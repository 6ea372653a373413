import { toFloat16 } from '@tandem/sdk/float16'
import { describe, expect, test } from 'vitest'
import { frames } from '../frames.js'
import { nms } from './nms.js'
import { sigmoid } from './sigmoid.js'
import { softmax } from './softmax.js'
import { topK } from './topk.js'

const row = (...values: number[]) =>
  ({ dtype: 'float32', shape: [1, values.length], data: Float32Array.from(values) }) as const
const invalid = expect.objectContaining({ code: 'INVALID_INPUT' })

describe('topK', () => {
  test('gives the largest first, the earlier of equals first', () => {
    expect(topK(row(1, 3, 2, 3), 3)).toEqual([
      { index: 1, score: 3 },
      { index: 3, score: 3 },
      { index: 2, score: 2 },
    ])
  })

  test('with labels, and no more than there are', () => {
    expect(topK(row(0.25, 0.5), 5, ['cat', 'dog'])).toEqual([
      { index: 1, score: 0.5, label: 'dog' },
      { index: 0, score: 0.25, label: 'cat' },
    ])
  })

  test('passes NaN over', () => {
    expect(topK(row(Number.NaN, 1, Number.NaN), 3)).toEqual([{ index: 1, score: 1 }])
    expect(topK(row(Number.NEGATIVE_INFINITY, 1), 2)).toHaveLength(2)
  })

  test('takes as many as there are as quickly as sorting does', () => {
    const values = Float32Array.from({ length: 100_000 }, (_, i) => i)
    const all = topK({ dtype: 'float32', shape: [values.length], data: values }, 1_000_000)
    expect(all).toHaveLength(values.length)
    expect(all[0]).toEqual({ index: 99_999, score: 99_999 })
  })

  test('agrees with sorting', () => {
    const values = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 991)
    const sorted = values
      .map((score, index) => ({ index, score }))
      .sort((a, b) => b.score - a.score || a.index - b.index)
    expect(topK(row(...values), 25)).toEqual(sorted.slice(0, 25))
  })

  test('reads float16 and integers', () => {
    expect(topK({ dtype: 'float16', shape: [2], data: toFloat16([0.5, 2]) }, 1)).toEqual([
      { index: 1, score: 2 },
    ])
    expect(topK({ dtype: 'uint8', shape: [2], data: Uint8Array.of(9, 3) }, 1)).toEqual([
      { index: 0, score: 9 },
    ])
  })

  test('refuses several rows, other labels, and what has no scores', () => {
    expect(() => topK({ dtype: 'float32', shape: [2, 2], data: new Float32Array(4) }, 1)).toThrow(invalid)
    expect(() => topK(row(1, 2), 1, ['only one'])).toThrow(invalid)
    expect(() => topK(row(1, 2), 0)).toThrow(invalid)
    expect(() => topK({ dtype: 'float32', shape: [0], data: Float32Array.of(1) }, 1)).toThrow(invalid)
    expect(() => topK({ dtype: 'string', shape: [1], data: ['x'] }, 1)).toThrow(invalid)
  })
})

describe('softmax and sigmoid', () => {
  test('sum to one along the axis, whatever the size of the numbers', () => {
    expect([...softmax(row(1000, 1000)).data]).toEqual([0.5, 0.5])
    const tensor = {
      dtype: 'float32',
      shape: [2, 3, 2],
      data: Float32Array.from({ length: 12 }, (_, i) => i * i),
    } as const
    const { data, shape } = softmax(tensor, 1)
    expect(shape).toEqual([2, 3, 2])
    for (const start of [0, 1, 6, 7]) {
      expect((data[start] ?? 0) + (data[start + 2] ?? 0) + (data[start + 4] ?? 0)).toBeCloseTo(1, 6)
    }
    expect(softmax(tensor, -2).data).toEqual(data)
  })

  test('an empty axis is empty, a missing one an error', () => {
    expect(softmax({ dtype: 'float32', shape: [3, 0], data: new Float32Array(0) }).data).toHaveLength(0)
    expect(() => softmax(row(1), 2)).toThrow(invalid)
    expect(() => softmax({ dtype: 'float32', shape: [], data: Float32Array.of(1) })).toThrow(invalid)
  })

  test('sigmoid', () => {
    expect([...sigmoid(row(0, 1000, -1000)).data]).toEqual([0.5, 1, 0])
  })
})

describe('nms', () => {
  const boxes = [
    { x: 0, y: 0, width: 10, height: 10 },
    { x: 1, y: 1, width: 10, height: 10 },
    { x: 20, y: 20, width: 5, height: 5 },
    { x: 0, y: 0, width: 10, height: 10 },
  ]
  const scores = [0.8, 0.9, 0.3, 0.8]

  test('keeps the best of each place', () => {
    expect(nms(boxes, scores)).toEqual([1, 2])
    expect(nms(boxes, scores, { iou: 0.9 })).toEqual([1, 0, 2])
    expect(nms(boxes, scores, { score: 0.5 })).toEqual([1])
    expect(nms(boxes, scores, { iou: 0.9, limit: 2 })).toEqual([1, 0])
  })

  test('passes over boxes and scores that are no numbers', () => {
    const corners = Float32Array.of(
      Number.NaN,
      0,
      1,
      1,
      0,
      0,
      1,
      1,
      5,
      5,
      Number.POSITIVE_INFINITY,
      6,
      7,
      7,
      8,
      8,
    )
    expect(nms(corners, [0.9, 0.8, 0.7, Number.NaN])).toEqual([1])
    expect(() => nms(undefined as never, [1])).toThrow(invalid)
  })

  test('takes flat corners', () => {
    const corners = Float32Array.from(
      boxes.flatMap(({ x, y, width, height }) => [x, y, x + width, y + height]),
    )
    expect(nms(corners, scores)).toEqual([1, 2])
  })

  test('boxes that touch, and empty ones, do not overlap', () => {
    expect(
      nms(
        [
          { x: 0, y: 0, width: 1, height: 1 },
          { x: 1, y: 0, width: 1, height: 1 },
        ],
        [1, 1],
        { iou: 0 },
      ),
    ).toEqual([0, 1])
    expect(
      nms(
        [
          { x: 0, y: 0, width: 0, height: 0 },
          { x: 0, y: 0, width: 0, height: 0 },
        ],
        [1, 1],
      ),
    ).toEqual([0, 1])
  })

  test('refuses other numbers of scores, and an overlap beyond 1', () => {
    expect(() => nms(boxes, [1])).toThrow(invalid)
    expect(() => nms(boxes, scores, { iou: 50 })).toThrow(invalid)
  })
})

describe('frames', () => {
  test('carry the end of the one before, zeros before the first and after the last', () => {
    const pieces = [...frames(Float32Array.of(1, 2, 3, 4, 5), { size: 2, context: 3 })]
    expect(pieces.map((piece) => [...piece])).toEqual([
      [0, 0, 0, 1, 2],
      [0, 1, 2, 3, 4],
      [2, 3, 4, 5, 0],
    ])
  })

  test('of Silero are 64 and 512', () => {
    const pieces = [...frames(new Float32Array(16_000), { size: 512, context: 64 })]
    expect(pieces).toHaveLength(32)
    expect(pieces.every(({ length }) => length === 576)).toBe(true)
  })

  test('refuse a size of 0 at once asked', () => {
    expect(() => [...frames(new Float32Array(4), { size: 0 })]).toThrow(invalid)
  })
})
