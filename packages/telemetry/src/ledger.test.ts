import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Batch, DropReason, Ledger } from './batch.js'
import type { Delivery, Exporter } from './exporter.js'
import { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.js'
import { sampleSpan } from './testing/batch.js'
import { manualClock } from './testing/clock.js'

/** An exporter that answers when, and as, the test says. */
function scripted() {
  const open: { batch: Batch; answer(delivery: Delivery): void }[] = []
  const exporter: Exporter = {
    name: 'scripted',
    export: (batch) => new Promise((resolve) => open.push({ batch, answer: resolve })),
    shutdown: async () => {},
    exit: () => {},
  }
  return { exporter, open }
}

function start(options: Partial<TelemetryOptions> = {}) {
  const clock = manualClock()
  const one = scripted()
  let leave = (): void => {}
  const t = createTelemetry(
    { service: 'test', log: 'none', clock, exporters: [one.exporter], ...options },
    {
      environment: 'development',
      onLeave: (callback) => {
        leave = callback
        return () => {}
      },
    },
  )
  const record = (durationMs = 5): void =>
    t.record({ ...sampleSpan(0), context: t.child(), startMs: clock.now(), durationMs })
  return { t, clock, record, open: one.open, leave: () => leave() }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function balance({ recorded, delivered, pending, dropped }: Ledger): void {
  const lost = Object.values(dropped).reduce((sum, n) => sum + n, 0)
  expect(delivered + pending + lost).toBe(recorded)
  expect(Math.min(delivered, pending, ...Object.values(dropped), 0)).toBe(0)
}

const reasons = fc.constantFrom<(DropReason | undefined)[]>('retries', 'rejected', 'queue_full', undefined)
const step = fc.oneof(
  fc.record({ do: fc.constant('record' as const), count: fc.integer({ min: 1, max: 700 }) }),
  fc.record({ do: fc.constant('invalid' as const) }),
  fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 3000 }) }),
  fc.record({
    do: fc.constant('answer' as const),
    share: fc.double({ min: -0.5, max: 1.5, noNaN: true }),
    reason: reasons,
    untried: fc.boolean(),
  }),
  fc.record({ do: fc.constant('leave' as const) }),
  fc.record({ do: fc.constant('flush' as const) }),
  fc.record({ do: fc.constant('shutdown' as const) }),
)

describe('recorded = delivered + pending + Σ dropped', () => {
  test.each<[string, Partial<TelemetryOptions>]>([
    ['in development', {}],
    ['in production', { environment: 'production' }],
    ['with a ring of 100', { maxSpans: 100 }],
    ['with no exporter', { exporters: [], maxSpans: 100 }],
  ])('at every moment, whatever happens, %s', async (_, options) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { t, clock, record, open, leave } = start(options)
        for (const what of steps) {
          if (what.do === 'record') for (let i = 0; i < what.count; i++) record(5 + (i % 50))
          if (what.do === 'invalid') record(Number.NaN)
          if (what.do === 'advance') clock.advance(what.ms)
          if (what.do === 'leave') leave()
          if (what.do === 'flush') void t.flush()
          if (what.do === 'shutdown') void t.shutdown()
          if (what.do === 'answer') {
            const next = open.shift()
            next?.answer({
              delivered: Math.round(next.batch.spans.n * what.share),
              reason: what.reason,
              untried: what.untried,
            })
          }
          balance(t.ledger())
          for (const { batch } of open) balance(batch.ledger)
          await settle()
          balance(t.ledger())
        }
        const end = t.shutdown()
        clock.advance(2000)
        await end
        balance(t.ledger())
        expect(t.ledger().pending).toBe(0)
      }),
      { numRuns: 40 },
    )
  })
})

describe('batches', () => {
  test('of a loop that never yields are all handed over: none of 10 000 spans is lost', async () => {
    const { t, clock, record, open } = start()
    for (let i = 0; i < 10_000; i++) record()
    for (let i = 0; i < 10; i++) clock.advance(0)
    expect(open.reduce((sum, { batch }) => sum + batch.spans.n, 0)).toBe(10_000)
    expect(open.every(({ batch }) => batch.spans.n <= 512)).toBe(true)
    for (const { batch, answer } of open) answer({ delivered: batch.spans.n })
    await settle()
    expect(t.ledger()).toEqual({ recorded: 10_000, delivered: 10_000, pending: 0, dropped: {} })
  })

  test('are numbered without a gap, and carry the figures once', async () => {
    const { clock, record, open } = start()
    for (let i = 0; i < 600; i++) record()
    clock.advance(1000)
    for (let i = 0; i < 5; i++) record()
    clock.advance(1000)
    expect(open.map(({ batch }) => batch.seq)).toEqual([0, 1, 2])
    const totals = open.map(({ batch }) =>
      batch.sketches.filter(({ series }) => series === 'total').map(({ sketch }) => sketch.count),
    )
    expect(totals).toEqual([[600], [], [5]])
  })

  test('are not made when nothing happened, and no timer waits then', () => {
    const { clock, record, open } = start()
    expect(clock.waiting()).toEqual([])
    record()
    expect(clock.waiting()).toEqual([1000])
    clock.advance(1000)
    expect(open.length).toBe(1)
    expect(clock.waiting()).toEqual([])
  })

  test('that never left give their figures to the next; those that may have arrived do not', async () => {
    const { clock, record, open } = start()
    const totalOf = (batch: Batch | undefined) =>
      batch?.sketches.find(({ series }) => series === 'total')?.sketch.count
    record()
    clock.advance(1000)
    open.shift()?.answer({ delivered: 0, reason: 'queue_full', untried: true })
    await settle()
    record()
    clock.advance(1000)
    expect(totalOf(open[0]?.batch)).toBe(2)
    open.shift()?.answer({ delivered: 0, reason: 'retries' })
    await settle()
    record()
    clock.advance(1000)
    expect(totalOf(open[0]?.batch)).toBe(1)
  })

  test('read both clocks together, each time anew: a laptop that slept does not date spans back', () => {
    const { clock, record, open } = start()
    record()
    clock.advance(1000)
    clock.setWall(clock.wall() + 8 * 3_600_000)
    record()
    clock.advance(1000)
    const [before, after] = open.map(({ batch }) => batch.anchor.wallMs - batch.anchor.monoMs)
    expect((after ?? 0) - (before ?? 0)).toBe(8 * 3_600_000)
  })

  test('at the page’s end: the figures alone first, then what went wrong and what was slowest', () => {
    const { t, record, open, leave } = start()
    for (let i = 0; i < 1000; i++) record(i + 1)
    t.record({ ...sampleSpan(0), context: t.child(), outcome: 'DEVICE_LOST' })
    leave()
    const [figures, first] = open.map(({ batch }) => batch)
    expect(figures?.spans.n).toBe(0)
    expect(figures?.sketches.length).toBeGreaterThan(0)
    expect(figures?.ledger.pending).toBe(1001)
    const outcomes = first?.spans.outcome
    expect(first?.dict[Array.isArray(outcomes) ? outcomes[0] : outcomes]).toBe('DEVICE_LOST')
    expect(Array.isArray(first?.spans.duration) ? first.spans.duration[1] : 0).toBe(1_000_000)
    expect(open.reduce((sum, { batch }) => sum + batch.spans.n, 0)).toBe(600)
    expect(t.ledger().pending).toBe(1001)
  })
})

describe('flush', () => {
  test('waits until everything is delivered', async () => {
    const { t, record, open } = start()
    record()
    let flushed = false
    const waiting = t.flush().then(() => {
      flushed = true
    })
    await settle()
    expect(flushed).toBe(false)
    open.shift()?.answer({ delivered: 1 })
    await waiting
    expect(t.ledger().delivered).toBe(1)
  })

  test('waits no longer than it was told, and nothing is lost for that', async () => {
    const { t, clock, record } = start()
    record()
    const flushed = t.flush({ deadlineMs: 300 })
    clock.advance(300)
    await flushed
    expect(t.ledger()).toMatchObject({ pending: 1, dropped: {} })
  })
})

describe('shutdown', () => {
  test('ends after two seconds when no answer comes, and counts what is lost', async () => {
    const { t, clock, record } = start()
    record()
    record()
    const ended = t.shutdown()
    clock.advance(2000)
    await ended
    expect(t.ledger()).toEqual({ recorded: 2, delivered: 0, pending: 0, dropped: { shutdown: 2 } })
    expect(clock.waiting()).toEqual([])
  })

  test('twice is once, and what is recorded after it is counted as lost', async () => {
    const { t, clock, record } = start()
    const first: Promise<void> = t.shutdown()
    expect(t[Symbol.asyncDispose]()).toBe(first)
    await first
    record()
    await t.flush()
    expect(t.ledger()).toEqual({ recorded: 1, delivered: 0, pending: 0, dropped: { shutdown: 1 } })
    expect(clock.waiting()).toEqual([])
  })

  test('an answer that comes after it changes no count', async () => {
    const { t, clock, record, open } = start()
    record()
    const ended = t.shutdown()
    clock.advance(2000)
    await ended
    open.shift()?.answer({ delivered: 1 })
    await settle()
    expect(t.ledger()).toMatchObject({ delivered: 0, dropped: { shutdown: 1 } })
  })
})

test('an exporter that throws or rejects loses its batch and nothing else', async () => {
  const bad = (fail: () => Promise<Delivery>): Exporter => ({
    name: 'bad',
    export: fail,
    shutdown: () => Promise.reject(new Error('no')),
  })
  const thrower = (): never => {
    throw new Error('thrown')
  }
  for (const exporter of [bad(thrower), bad(() => Promise.reject(new Error('rejected')))]) {
    const { t, record }: { t: Telemetry; record(): void } = start({ exporters: [exporter] })
    record()
    await t.flush()
    expect(t.ledger()).toMatchObject({ dropped: { rejected: 1 }, pending: 0 })
    await t.shutdown()
  }
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5, -3])(
  'an exporter that says it delivered %d of two leaves an account that adds up',
  async (delivered) => {
    const exporter: Exporter = { name: 'odd', export: async () => ({ delivered }), shutdown: async () => {} }
    const { t, record } = start({ exporters: [exporter] })
    record()
    record()
    await t.flush()
    const ledger = t.ledger()
    const dropped = Object.values(ledger.dropped).reduce((sum, count) => sum + count, 0)
    expect([ledger.recorded, ledger.delivered + ledger.pending + dropped]).toEqual([2, 2])
    expect(ledger.delivered % 1).toBe(0)
  },
)

test('with two exporters a span is delivered when both have it', async () => {
  const one = scripted()
  const two = scripted()
  const { t, record } = start({ exporters: [one.exporter, two.exporter] })
  record()
  record()
  const flushed = t.flush()
  one.open[0]?.answer({ delivered: 2 })
  await settle()
  expect(t.ledger().pending).toBe(2)
  two.open[0]?.answer({ delivered: 1, reason: 'retries' })
  await flushed
  expect(t.ledger()).toMatchObject({ delivered: 1, pending: 0, dropped: { retries: 1 } })
})
