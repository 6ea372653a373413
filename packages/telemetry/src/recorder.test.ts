import { describe, expect, test } from 'vitest'
import { account } from './account.js'
import { encode } from './encode.js'
import { ids } from './ids.js'
import { type Policy, policies } from './policy.js'
import { type LiveRecorder, recorder } from './recorder.js'
import { keepsShare } from './share.js'
import type { Span } from './span.js'
import { sampleBatch, sampleSpan } from './testing/batch.js'
import { decodeSpans, validateBatch } from './wire.js'
import { slowestPerMinute } from './worst.js'

function fresh(policy: Partial<Policy> = {}, limits: { capacity?: number; maxSeries?: number } = {}) {
  const counts = account()
  const live = recorder({
    policy: { ...policies.production, worstPerMinute: 0, sample: 0, ...policy },
    account: counts,
    ids: ids((bytes) => crypto.getRandomValues(bytes)),
    capacity: 1000,
    maxSeries: 1000,
    ambient: () => undefined,
    recorded: () => {},
    ...limits,
  })
  const record = (change: Partial<Span> = {}): void =>
    live.record({ ...sampleSpan(0), context: live.child(), ...change })
  return { live, counts, record }
}

const keptOf = (live: LiveRecorder): Span[] => live.kept.take(Number.POSITIVE_INFINITY)

describe('ids', () => {
  test('are 32 and 16 lower-case hex digits, and never the same', () => {
    const { live } = fresh()
    const seen = new Set<string>()
    for (let i = 0; i < 5000; i++) {
      const { traceId, spanId, parentSpanId } = live.child()
      expect(traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(spanId).toMatch(/^[0-9a-f]{16}$/)
      expect(parentSpanId).toBeUndefined()
      seen.add(traceId).add(spanId)
    }
    expect(seen.size).toBe(10_000)
  })

  test('are the random bytes, digit for digit', () => {
    let next = 0
    const pool = ids((bytes) => {
      for (let i = 0; i < bytes.length; i++) bytes[i] = next++
    })
    expect(pool.next(16)).toBe('000102030405060708090a0b0c0d0e0f')
    expect(pool.word(0)).toBe(0x0c0d0e0f)
    expect(pool.word(4)).toBe(0x08090a0b)
    expect(pool.next(8)).toBe('1011121314151617')
  })

  test('of a child keep the trace, its verdict, and name the parent', () => {
    const { live } = fresh()
    const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true }
    expect(live.child(parent)).toMatchObject({
      traceId: parent.traceId,
      parentSpanId: parent.spanId,
      sampled: true,
      recorder: live,
    })
    expect(live.child({ ...parent, sampled: false }).sampled).toBe(false)
  })
})

describe('a span is kept', () => {
  test('when it failed, was slow, or its trace is in the share', () => {
    const { live, counts, record } = fresh({ slowMs: 500 })
    record()
    record({ durationMs: 500 })
    record({ durationMs: 500.1, name: 'slow' })
    record({ outcome: 'DEADLINE', name: 'failed' })
    record({ outcome: 'cancelled', name: 'cancelled' })
    record({ context: { ...live.child(), sampled: true }, name: 'sampled' })
    expect(keptOf(live).map(({ name }) => name)).toEqual(['slow', 'failed', 'cancelled', 'sampled'])
    expect(counts).toEqual({ recorded: 6, delivered: 0, dropped: { sampled: 2 } })
  })

  test('in development whatever it is', () => {
    const { live, record } = fresh(policies.development)
    for (let i = 0; i < 500; i++) record()
    expect(live.kept.size()).toBe(500)
  })

  test('but its figures are taken in any case', () => {
    const { live, record } = fresh()
    for (let i = 0; i < 100; i++) record()
    expect(live.kept.size()).toBe(0)
    expect(live.series.rows[0]?.pairs[0]?.fresh.count).toBe(100)
  })
})

test('the slowest of each minute are let through, and of the next minute again', () => {
  const isSlowest = slowestPerMinute(3)
  const minute = (start: number, durations: number[]): number[] =>
    durations.filter((ms, i) => isSlowest(start + i, ms))
  expect(minute(0, [5, 1, 3, 2, 4, 3, 9])).toEqual([5, 1, 3, 2, 4, 9])
  expect(minute(60_000, [2, 2, 2, 2, 1, 3])).toEqual([2, 2, 2, 3])
  expect([1, 2, 3].some((ms) => slowestPerMinute(0)(0, ms))).toBe(false)
})

describe('a share of the traces', () => {
  /** W3C trace context level 2: the low 56 bits, as one integer, against (1 − p) · 2^56. */
  const byRule = (traceId: string, share: number): boolean =>
    BigInt(`0x${traceId.slice(18)}`) >= BigInt(Math.round((1 - share) * 2 ** 56))

  test.each([0, 0.01, 0.1, 0.5, 1])('of %d agrees with the rule on every one of 20 000 ids', (share) => {
    const { live } = fresh({ sample: share })
    let kept = 0
    for (let i = 0; i < 20_000; i++) {
      const { traceId, sampled } = live.child()
      if (sampled !== byRule(traceId, share)) throw new Error(`${traceId}: ${sampled}`)
      kept += Number(sampled)
    }
    // Four standard deviations at most.
    expect(Math.abs(kept - share * 20_000)).toBeLessThanOrEqual(4 * Math.sqrt(20_000 * share * (1 - share)))
  })

  test('compares every bit at the threshold', () => {
    const half = keepsShare(0.5)
    expect(half(0x800000, 0)).toBe(true)
    expect(half(0x7fffff, 0xffffffff)).toBe(false)
    expect(half(0xff800000, 0)).toBe(true)
  })
})

describe('series', () => {
  test('hold the total, every stage, and what no stage explains', () => {
    const { live, record } = fresh()
    record({ durationMs: 10, stages: { queue: 1, input: 2, inference: 4, network: null } })
    const counts = live.series.rows[0]?.pairs.map((pair) => pair?.fresh.sum)
    expect(counts).toEqual([10, 1, undefined, 2, 4, undefined, undefined, undefined, 3])
  })

  test('of a span without stages leave the unexplained out: nothing is known of it', () => {
    const { live, record } = fresh()
    record({ stages: undefined })
    record({ stages: { queue: Number.NaN, input: -1 } })
    expect(live.series.rows[0]?.pairs[8]).toBeUndefined()
  })

  test('never explain more than the whole: a clock’s rounding leaves nothing, not less', () => {
    const { live, record } = fresh()
    record({ durationMs: 5, stages: { inference: 5.0001 } })
    expect(live.series.rows[0]?.pairs[8]?.fresh.stats().max).toBe(0)
  })

  test('of 5000 sets of labels are 1000 and one for the rest, and no call is lost', () => {
    const { live, record } = fresh({}, { maxSeries: 1000 })
    for (let i = 0; i < 5000; i++) record({ model: `model-${i}` })
    const { rows } = live.series
    expect(rows.length).toBe(1001)
    expect(rows[1000]?.labels.name).toBe('(overflow)')
    expect(rows.reduce((sum, row) => sum + (row.pairs[0]?.fresh.count ?? 0), 0)).toBe(5000)
  })
})

describe('what is no span', () => {
  test.each([
    ['a duration that is NaN', { durationMs: Number.NaN }],
    ['an infinite duration', { durationMs: Number.POSITIVE_INFINITY }],
    ['a negative duration', { durationMs: -1 }],
    ['a start that is NaN', { startMs: Number.NaN }],
  ])('%s is counted and spoils nothing', (_, change) => {
    const { live, counts, record } = fresh(policies.development)
    record(change)
    record()
    expect(counts).toEqual({ recorded: 2, delivered: 0, dropped: { invalid: 1 } })
    expect(live.kept.size()).toBe(1)
    expect(live.series.rows[0]?.pairs[0]?.fresh.count).toBe(1)
  })

  test.each([0, 1e-300, 1e300])('a duration of %d is one, and can be had', (durationMs) => {
    const { live, counts, record } = fresh(policies.development)
    record({ durationMs })
    expect(counts.dropped).toEqual({})
    expect(live.series.rows[0]?.pairs[0]?.fresh.count).toBe(1)
  })

  test.each([null, undefined, {}, { context: null }])('%j from JavaScript does not throw', (value) => {
    const { live, counts } = fresh()
    Reflect.apply(live.record, live, [value])
    expect(counts.dropped).toEqual({ invalid: 1 })
  })

  test('a span whose optional parts are of other types breaks neither the recorder nor the batch', () => {
    const { live, counts, record } = fresh(policies.development)
    const odd: object = {
      stages: null,
      model: 7,
      device: null,
      why: Object.create(null),
      batchSize: '4',
      inputBytes: null,
      warm: null,
    }
    record(odd)
    record({ stages: { queue: '1', input: 2 } as object })
    record({ durationMs: '5' } as object)
    expect(counts.dropped).toEqual({ invalid: 1 })
    const { dict, spans, sketches } = encode(keptOf(live), live.series.rows, 0)
    const checked = validateBatch({ ...sampleBatch(0), dict, spans, sketches })
    if (!checked.ok) throw new Error(checked.error)
    expect(decodeSpans(checked.batch)).toMatchObject({
      spans: [{ model: '7' }, { stages: { input: 2 } }],
      rejected: 0,
    })
  })

  test('an id of another length, which would shift a whole batch, is refused', () => {
    const { live, counts, record } = fresh(policies.development)
    record({ context: live.child({ traceId: 'abc', spanId: '00f067aa0ba902b7', sampled: true }) })
    record({
      context: live.child({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: 'x', sampled: true }),
    })
    const { context } = sampleSpan(0)
    record({ context: { ...context, parentSpanId: 5 } as object as typeof context })
    record({ context: { ...context, spanId: Array(16).fill(1) } as object as typeof context })
    expect(counts.dropped).toEqual({ invalid: 4 })
  })

  test.each([
    ['a duration', { durationMs: 1e306 }],
    ['a stage', { stages: { queue: 1e306 } }],
    ['a size', { inputBytes: 1e308 }],
  ])('%s beyond all numbers costs no batch', (_, change) => {
    const { live, record } = fresh(policies.development)
    record(change)
    const encoded = encode(keptOf(live), live.series.rows, 0)
    const checked = validateBatch(JSON.parse(JSON.stringify({ ...sampleBatch(0), ...encoded })))
    if (!checked.ok) throw new Error(checked.error)
    expect(decodeSpans(checked.batch).rejected).toBe(0)
  })

  test('a start beyond all numbers is none', () => {
    const { counts, record } = fresh(policies.development)
    record({ startMs: 1e306 })
    expect(counts.dropped).toEqual({ invalid: 1 })
  })
})

test('a full ring gives way at its oldest', () => {
  const { live, counts, record } = fresh(policies.development, { capacity: 3 })
  for (const name of ['a', 'b', 'c', 'd', 'e']) record({ name })
  expect(counts.dropped).toEqual({ ring_full: 2 })
  expect(keptOf(live).map(({ name }) => name)).toEqual(['c', 'd', 'e'])
})
