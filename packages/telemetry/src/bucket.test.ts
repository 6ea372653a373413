import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketOf } from './bucket.js'

const bounds = (bucket: number): [number, number] => [2 ** (bucket / 32), 2 ** ((bucket + 1) / 32)]

test('every time lies in its bucket, above the lower bound and at most the upper', () => {
  fc.assert(
    fc.property(fc.double({ min: 2 ** -20, max: 2 ** 32, noNaN: true }), (ms) => {
      const [low, high] = bounds(bucketOf(ms))
      // The bounds themselves are rounded; a part in 2^50 of slack is far below a bucket's width.
      expect(ms).toBeGreaterThan(low * (1 - 2 ** -50))
      expect(ms).toBeLessThanOrEqual(high * (1 + 2 ** -50))
    }),
    { numRuns: 5000 },
  )
})

test('a power of two is the upper bound of its bucket, the next double above it opens the next one', () => {
  for (let octave = -20; octave <= 31; octave++) {
    const power = 2 ** octave
    expect(bucketOf(power)).toBe(octave * 32 - 1)
    expect(bucketOf(power * (1 + Number.EPSILON))).toBe(octave * 32)
  }
})

test('the inner bounds are exact: the double just above one, and the one at it, are told apart', () => {
  for (let i = 1; i < 32; i++) {
    const bound = 2 ** (i / 32)
    expect(bucketOf(bound)).toBe(i - 1)
    expect(bucketOf(bound + 2 ** -52)).toBe(i)
  }
})
