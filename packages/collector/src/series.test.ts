import { sketch } from '@tandem/telemetry/wire'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from './limits.js'
import { readFilter } from './query.js'
import { type SeriesKey, seriesStore } from './series.js'
import { manualClock } from './testing.js'

const clock = manualClock(0)
const everything = filter('')
const key: SeriesKey = {
  service: 'shop-web',
  name: 'infer',
  model: 'blazeface',
  device: 'wasm',
  place: 'local',
  stage: 'total',
}

function filter(query: string) {
  return readFilter(new URLSearchParams(query), clock)
}

function figures(...values: number[]) {
  const one = sketch()
  for (const value of values) one.record(value)
  return one.toData()
}

/** Nearest rank, as the percentiles are defined. */
function exact(values: readonly number[], q: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(q * values.length) - 1] ?? Number.NaN
}

describe('seriesStore', () => {
  it('answers percentiles within 1.1 % of the exact ones, merged from many batches', () => {
    const store = seriesStore(defaultLimits)
    const all: number[] = []
    let seed = 7
    for (let batch = 0; batch < 50; batch++) {
      const values = Array.from({ length: 40 }, () => {
        seed = (seed * 16807) % 2147483647
        return 0.05 * Math.exp(8 * (seed / 2147483647))
      })
      all.push(...values)
      store.add(key, figures(...values), batch * 10_000)
    }
    const [row] = store.summary(everything).rows
    expect(row).toMatchObject({ ...key, count: 2000 })
    for (const [name, q] of [
      ['p50', 0.5],
      ['p90', 0.9],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const) {
      const truth = exact(all, q)
      expect(Math.abs((row?.[name] ?? 0) - truth) / truth).toBeLessThan(0.011)
    }
    expect(row?.mean).toBeCloseTo(all.reduce((sum, value) => sum + value, 0) / all.length, 4)
    expect(row?.min).toBeCloseTo(Math.min(...all), 5)
    expect(row?.max).toBeCloseTo(Math.max(...all), 5)
  })

  it('filters by every label, by several values, and by the unknown', () => {
    const store = seriesStore(defaultLimits)
    for (const device of ['wasm', 'webgpu', null]) {
      for (const stage of ['total', 'inference', 'unattributed'] as const) {
        store.add({ ...key, device, stage }, figures(1), 0)
      }
    }
    const stages = (query: string) =>
      store.summary(filter(query)).rows.map(({ device, stage }) => [device, stage])
    expect(stages('device=webgpu&stage=inference')).toEqual([['webgpu', 'inference']])
    expect(stages('device=wasm&device=webgpu&stage=total')).toEqual([
      ['wasm', 'total'],
      ['webgpu', 'total'],
    ])
    expect(stages('device=')).toEqual([
      [null, 'total'],
      [null, 'inference'],
      [null, 'unattributed'],
    ])
    expect(stages('service=other')).toEqual([])
    expect(stages('model=blazeface&place=local&name=infer')).toHaveLength(9)
  })

  it('answers since a minute, and by the minute', () => {
    const store = seriesStore(defaultLimits)
    store.add(key, figures(10, 10, 10), 60_000)
    store.add(key, figures(20), 185_000)
    store.add({ ...key, device: 'webgpu' }, figures(5), 185_000)
    expect(store.summary(filter('since=180000&device=wasm')).rows).toMatchObject([{ count: 1, max: 20 }])
    expect(store.summary(everything).rows).toMatchObject([{ count: 4 }, { count: 1 }])
    expect(store.timeseries(everything)).toMatchObject({
      minutes: [60_000, 180_000],
      series: [
        { device: 'wasm', stage: 'total', count: [3, 1], p50: [10, 20], p95: [10, 20] },
        { device: 'webgpu', stage: 'total', count: [0, 1], p50: [null, 5] },
      ],
      leftOut: 0,
    })
  })

  it('adds what is over the limit of series up in one, and loses no count', () => {
    const store = seriesStore({ ...defaultLimits, series: 10 })
    for (let n = 0; n < 500; n++) store.add({ ...key, model: `model-${n}` }, figures(n + 1), 0)
    const { rows, overflowed } = store.summary(everything)
    expect(rows).toHaveLength(11)
    expect(overflowed).toBe(490)
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(500)
    expect(rows.find((row) => row.service === '(other)')).toMatchObject({ count: 490, max: 500 })
  })

  it('forgets the oldest minutes, by their number and by what they hold', () => {
    const byAge = seriesStore({ ...defaultLimits, minutes: 3 })
    for (let minute = 0; minute < 10; minute++) byAge.add(key, figures(1), minute * 60_000)
    expect(byAge.timeseries(everything).minutes).toEqual([420_000, 480_000, 540_000])
    expect(byAge.summary(everything).rows).toMatchObject([{ count: 10 }])

    const bySize = seriesStore({ ...defaultLimits, minuteSketches: 5 })
    for (let minute = 0; minute < 4; minute++) {
      for (const model of ['a', 'b', 'c']) bySize.add({ ...key, model }, figures(1), minute * 60_000)
    }
    expect(bySize.timeseries(everything).minutes).toEqual([180_000])
  })
})
