import { image, preprocessor } from '@tandem/preprocess'
import type { Recorder, Span, SpanContext } from '@tandem/telemetry'
import { expect, test } from 'vitest'
import { picture } from './testing.js'

const plan = image({ input: 'x', resize: 32 })
const pixels = picture({ kind: 'noise', width: 64, height: 48, channels: 3 })

/** Keeps what it is given. */
const recorder = (): Recorder & { readonly spans: Span[] } => {
  const spans: Span[] = []
  return {
    spans,
    child: (parent) => ({
      traceId: parent?.traceId ?? 'f'.repeat(32),
      spanId: 'a'.repeat(16),
      parentSpanId: parent?.spanId,
      sampled: true,
    }),
    record: (span) => {
      spans.push(span)
    },
  }
}

test('a run is one span of its trace, whose stages sum to no more than its time', async () => {
  const own = recorder()
  const trace: SpanContext = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), sampled: true, recorder: own }
  await using pre = preprocessor()
  const { timings } = await pre.run(plan, pixels, { trace })
  expect(own.spans).toMatchObject([
    {
      name: 'preprocess',
      kind: 'internal',
      place: 'local',
      outcome: 'ok',
      context: { traceId: trace.traceId, parentSpanId: trace.spanId },
      stages: { queue: timings.queue, preprocess: timings.preprocess },
      inputBytes: 64 * 48 * 3,
      outputBytes: 32 * 32 * 3 * 4,
    },
  ])
  const [span] = own.spans
  const { queue, preprocess } = span?.stages ?? {}
  expect((queue ?? 0) + (preprocess ?? 0)).toBeLessThanOrEqual(span?.durationMs ?? 0)
})

test('the preprocessor’s own recorder goes before the trace’s, as in a session', async () => {
  const [own, other] = [recorder(), recorder()]
  const trace: SpanContext = {
    traceId: '1'.repeat(32),
    spanId: '2'.repeat(16),
    sampled: true,
    recorder: other,
  }
  await using pre = preprocessor({ telemetry: own, host: 'inline' })
  await pre.run(plan, pixels, { trace })
  expect([own.spans.length, other.spans.length]).toEqual([1, 0])
})

test('without a trace the preprocessor’s own recorder takes it, with what became of it', async () => {
  const telemetry = recorder()
  await using pre = preprocessor({ telemetry, host: 'inline' })
  const aborted = new AbortController()
  aborted.abort()
  await pre.run(plan, pixels)
  await pre.run(plan, new Uint8Array(3)).catch(() => undefined)
  await pre.run(plan, pixels, { signal: aborted.signal }).catch(() => undefined)
  expect(telemetry.spans.map(({ outcome }) => outcome)).toEqual(['ok', 'INVALID_INPUT', 'cancelled'])
})
