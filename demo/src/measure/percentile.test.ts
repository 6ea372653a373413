import { expect, test } from 'vitest'
import { figures } from './percentile.js'

test('percentiles of 1 … 100 are the ranks themselves, whatever the order', () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i)
  expect(figures(values)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 })
})

test('one value is every percentile', () => {
  expect(figures([7])).toEqual({ count: 1, p50: 7, p95: 7, p99: 7, max: 7 })
})

test('no values have no figures', () => {
  expect(figures([])).toBeUndefined()
})
