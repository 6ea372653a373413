import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encode } from './encode.js'
import type { Span } from './span.js'
import { stages } from './span.js'
import { sampleBatch, sampleSpan } from './testing/batch.js'
import { type Batch, decodeSpans, validateBatch } from './wire.js'

const hex = (digits: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits - 1, maxLength: digits - 1 })
    .map((rest) => `1${rest.join('')}`)

const time = fc.integer({ min: 0, max: 10_000_000 }).map((us) => us / 1000)
const label = fc.option(fc.constantFrom('a', 'b', 'mobilenet', 'größer'), { nil: undefined })

const anySpan: fc.Arbitrary<Span> = fc.record({
  context: fc.record({
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: fc.option(hex(16), { nil: undefined }),
    sampled: fc.boolean(),
  }),
  name: fc.constantFrom('infer', 'serve', 'preprocess'),
  kind: fc.constantFrom('internal', 'client', 'server'),
  startMs: time,
  durationMs: time,
  stages: fc.record(Object.fromEntries(stages.map((stage) => [stage, time])), { requiredKeys: [] }),
  model: label,
  device: label,
  place: fc.constantFrom('local', 'remote', undefined),
  why: label,
  sync: fc.constantFrom('none', 'await', 'queue', 'readback', undefined),
  batchSize: fc.option(fc.integer({ min: 1, max: 64 }), { nil: undefined }),
  inputBytes: fc.option(fc.integer({ min: 0, max: 1e9 }), { nil: undefined }),
  outputBytes: fc.option(fc.integer({ min: 0, max: 1e9 }), { nil: undefined }),
  warm: fc.option(fc.boolean(), { nil: undefined }),
  outcome: fc.constantFrom('ok', 'cancelled', 'DEADLINE'),
})

function batchOf(spans: readonly Span[]): Batch {
  const { monoMs } = sampleBatch().anchor
  const { spans: columns, dict } = encode(spans, [], monoMs)
  return { ...sampleBatch(0), sketches: [], spans: columns, dict }
}

/** A sample batch of three spans as a stranger might send it: with another value at `path`. */
function spoilt(path: string, value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(sampleBatch(3)))
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const place = steps.reduce((at, step) => (at as Record<string, unknown>)[step], copy)
  ;(place as Record<string, unknown>)[last] = value
  return copy
}

describe('a batch', () => {
  test('is read as it was written, through JSON', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 20 }), (spans) => {
        const batch = batchOf(spans)
        const checked = validateBatch(JSON.parse(JSON.stringify(batch)))
        if (!checked.ok) throw new Error(checked.error)
        const decoded = decodeSpans(checked.batch)
        expect(decoded.rejected).toBe(0)
        expect(decoded.spans.length).toBe(spans.length)
        const { wallMs, monoMs } = batch.anchor
        for (const [i, { context, startMs, stages: times, ...rest }] of spans.entries()) {
          const read = decoded.spans[i]
          expect(read).toMatchObject({
            ...rest,
            traceId: context.traceId,
            spanId: context.spanId,
            parentSpanId: context.parentSpanId,
          })
          expect(read?.stages).toEqual(times)
          expect(read?.startMs).toBeCloseTo(wallMs + startMs - monoMs, 2)
        }
      }),
    )
  })

  test('takes about 100 bytes a span', () => {
    const bytes = (spans: number): number => JSON.stringify(sampleBatch(spans)).length
    const perSpan = (bytes(512) - bytes(0)) / 512
    expect(perSpan).toBeGreaterThan(70)
    expect(perSpan).toBeLessThanOrEqual(115)
  })

  test('of 512 spans with its figures fits a browser’s allowance at the page’s end', () => {
    expect(JSON.stringify(sampleBatch(512)).length).toBeLessThan(60 * 1024)
  })

  test('writes a time that is none as unknown', () => {
    const odd = {
      ...sampleSpan(0),
      stages: { queue: Number.NaN, input: -1, inference: 3, output: Number.POSITIVE_INFINITY },
    }
    const [read] = decodeSpans(batchOf([odd])).spans
    expect(read?.stages).toEqual({ inference: 3 })
  })
})

describe('one malformed span', () => {
  const { trace, span } = sampleBatch(3).spans
  test.each([
    ['a trace id of zeros', 'spans.trace', '0'.repeat(32) + trace.slice(32)],
    ['an upper-case trace id', 'spans.trace', `A${trace.slice(1)}`],
    ['a span id that is no hex', 'spans.span', `z${span.slice(1)}`],
    ['a name outside the dictionary', 'spans.name', [999, 0, 0]],
    ['a model outside the dictionary', 'spans.model', [-2, -1, -1]],
    ['a negative duration', 'spans.duration', [-1, 1, 1]],
    ['a start that was NaN', 'spans.start', [null, 1, 1]],
    ['a duration of 1e300 µs', 'spans.duration', [1e300, 1, 1]],
    ['a start in another age', 'spans.start', [-1e300, 1, 1]],
    ['a duration that was NaN, null in JSON', 'spans.duration', [null, 1, 1]],
  ])('(%s) is left out, and the others stay', (_, path, value) => {
    const checked = validateBatch(spoilt(path, value))
    if (!checked.ok) throw new Error(checked.error)
    const { spans, rejected } = decodeSpans(checked.batch)
    expect(rejected).toBe(1)
    expect(spans.length).toBe(2)
  })
})

describe('a batch of unsound structure is refused, and told where:', () => {
  test.each([
    ['v is 2', 'v', 2],
    ['service', 'service', ''],
    ['service', 'service', 'x'.repeat(2000)],
    ['instance', 'instance', 'me'],
    ['seq', 'seq', -1],
    ['anchor', 'anchor.wallMs', null],
    ['ledger.recorded', 'ledger.recorded', 1.5],
    ['ledger.dropped', 'ledger.dropped', { exit: 'many' }],
    ['ledger.dropped', 'ledger.dropped', { '<b>': 1 }],
    [
      'ledger.dropped',
      'ledger.dropped',
      Object.fromEntries(
        [...'abcdefghijklmnopqrstuvwxyz'].flatMap((a) => [
          [a, 1],
          [`${a}_`, 1],
        ]),
      ),
    ],
    ['anchor', 'anchor.wallMs', 1e308],
    ['sketches[0].sketch.sum', 'sketches.0.sketch.sum', 1e308],
    ['sketches[0].sketch.sum', 'sketches.0.sketch.sum', 0],
    ['sketches[0].sketch.sum', 'sketches.0.sketch.max', 1e308],
    ['dict', 'dict', [1]],
    ['sketches[0].name', 'sketches.0.name', 99],
    ['sketches[0].series', 'sketches.0.series', 'infer'],
    ['sketches[0].sketch.scale', 'sketches.0.sketch.scale', -10],
    ['sketches[0].sketch.counts', 'sketches.0.sketch.count', 1000],
    ['sketches[0].sketch.offset', 'sketches.0.sketch.offset', 2 ** 31],
    ['sketches[0].sketch.sum', 'sketches.0.sketch.min', 1e9],
    ['spans.n', 'spans.n', 1e9],
    ['spans.trace', 'spans.trace', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['spans.duration', 'spans.duration', [1]],
    ['spans.start', 'spans.start', '0'],
    ['spans.stages.queue', 'spans.stages.queue', ['1', 1, 2]],
  ])('%s', (where, path, value) => {
    const checked = validateBatch(spoilt(path, value))
    expect(checked).toEqual({ ok: false, error: expect.stringContaining(where) })
  })

  test('whatever JSON comes, it neither throws nor passes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(validateBatch(value).ok).toBe(false)
      }),
    )
  })
})
