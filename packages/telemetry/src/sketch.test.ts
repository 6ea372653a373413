import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Sketch, sketch } from './sketch.js'

/** Latencies of a service whose tail is heavy: log-normal around 20 ms, one call in fifty a hundred times slower. */
function heavyTail(count: number): number[] {
  let state = 12_345
  const chance = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  return Array.from({ length: count }, () => {
    const gauss = Math.sqrt(-2 * Math.log(chance())) * Math.cos(2 * Math.PI * chance())
    return 20 * Math.exp(0.6 * gauss) * (chance() < 0.02 ? 100 : 1)
  })
}

function nearestRank(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? Number.NaN
}

function of(values: readonly number[]): Sketch {
  const made = sketch()
  for (const value of values) made.record(value)
  return made
}

const ms = fc.double({ min: 0, max: 1e6, noNaN: true })

describe('percentiles', () => {
  test.each([100, 5000, 200_000])('of %i heavy-tailed values are within 1.1 % of the exact ones', (count) => {
    const values = heavyTail(count)
    const made = of(values)
    for (const q of [0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999]) {
      const exact = nearestRank(values, q)
      expect(Math.abs(made.quantile(q) - exact) / exact, `p${q * 100}`).toBeLessThanOrEqual(0.011)
    }
    const { count: n, mean, min, max } = made.stats()
    expect(n).toBe(count)
    expect(min).toBe(Math.min(...values.slice(0, 1000), min))
    expect(max).toBe(values.reduce((a, b) => Math.max(a, b)))
    expect(mean).toBeCloseTo(values.reduce((a, b) => a + b) / count, 6)
  })

  test('of any values are within 1.1 %, or a nanosecond', () => {
    fc.assert(
      fc.property(
        fc.array(ms, { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, q) => {
          const exact = nearestRank(values, q)
          expect(Math.abs(of(values).quantile(q) - exact)).toBeLessThanOrEqual(Math.max(0.011 * exact, 1e-6))
        },
      ),
    )
  })

  test('of nothing are NaN, of one value are that value', () => {
    expect(sketch().quantile(0.5)).toBeNaN()
    expect(sketch().stats().mean).toBeNaN()
    expect(of([7.25]).stats()).toEqual({
      count: 1,
      mean: 7.25,
      min: 7.25,
      max: 7.25,
      p50: 7.25,
      p90: 7.25,
      p95: 7.25,
      p99: 7.25,
    })
  })
})

describe('merging', () => {
  test('is the same as recording everything into one', () => {
    fc.assert(
      fc.property(fc.array(fc.array(ms, { maxLength: 50 }), { maxLength: 5 }), (parts) => {
        const merged = sketch()
        for (const part of parts) merged.merge(of(part))
        const { sum, ...rest } = merged.toData()
        const { sum: whole, ...single } = of(parts.flat()).toData()
        expect(rest).toEqual(single)
        expect(sum).toBeCloseTo(whole, 3)
      }),
    )
  })

  test('an empty one in changes nothing', () => {
    const made = of([1, 2, 3])
    const before = made.toData()
    made.merge(sketch())
    made.merge(sketch().toData())
    expect(made.toData()).toEqual(before)
  })

  test('what came over the wire is the same as merging the sketch itself', () => {
    fc.assert(
      fc.property(fc.array(ms, { maxLength: 100 }), (values) => {
        const wire = JSON.parse(JSON.stringify(of(values).toData()))
        expect(sketch(wire).toData()).toEqual(of(values).toData())
      }),
    )
  })

  test('another scale is refused', () => {
    expect(() => sketch({ ...of([1]).toData(), scale: 4 })).toThrow(RangeError)
  })
})

describe('values that break other histograms', () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, -Number.MIN_VALUE])(
    '%d is refused and changes nothing',
    (value) => {
      const made = of([1, 2])
      const before = made.toData()
      expect(made.record(value)).toBe(false)
      expect(made.toData()).toEqual(before)
    },
  )

  test.each([0, -0, Number.MIN_VALUE, 1e-300])('%d counts as zero', (value) => {
    const made = of([value, 4])
    expect(made.zeros).toBe(1)
    expect(made.count).toBe(2)
    expect(made.quantile(0.5)).toBeCloseTo(0)
  })

  test.each([1e300, Number.MAX_VALUE])('%d counts as the longest time and blurs nothing', (value) => {
    const made = of([1, 1, 1, value])
    expect(made.quantile(0.5)).toBeCloseTo(1, 1)
    expect(made.max).toBe(2 ** 32)
    expect(made.toData().counts.length).toBeLessThan(1100)
  })

  test('the shortest and the longest together stay within the bounded range', () => {
    const { counts } = of([1e-300, 2 ** -20, 1, 2 ** 32, 1e300]).toData()
    expect(counts.length).toBeLessThanOrEqual(1665)
    expect(counts.reduce((a, b) => a + b)).toBe(4)
  })
})

test('clearing empties it and it can be used again', () => {
  const made = of([1, 2, 3])
  made.clear()
  expect(made.toData()).toMatchObject({ count: 0, zeros: 0, sum: 0, min: 0, max: 0, counts: [] })
  made.record(5)
  expect(made.stats().max).toBe(5)
  expect(made.stats().min).toBe(5)
})
