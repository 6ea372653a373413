import { type Batch, wireVersion } from '../batch.js'
import { encode } from '../encode.js'
import { seriesTable } from '../series.js'
import type { Span } from '../span.js'

/** A batch as a recorder makes it, of `spans` inferences, with figures of one more than it has spans. */
export function sampleBatch(spans = 3, seq = 0): Batch {
  const series = seriesTable(10)
  const recorded = Array.from({ length: spans + 1 }, (_, i) => sampleSpan(i))
  for (const span of recorded) series.row(span).record(span)
  return {
    v: wireVersion,
    service: 'sample',
    instance: '00f067aa0ba902b7',
    seq,
    environment: 'production',
    anchor: { wallMs: 1_750_000_000_000, monoMs: 60_000 },
    ledger: { recorded: spans + 1, delivered: 0, pending: spans, dropped: { sampled: 1 } },
    ...encode(recorded.slice(0, spans), series.rows, 60_000),
  }
}

/** The i-th of a row of inferences: a child span with four stages, each a little longer than the last. */
export function sampleSpan(i: number): Span {
  const inference = 5 + (i % 17) * 0.731
  const hex = (salt: number): string =>
    Math.imul(i + 1, salt)
      .toString(16)
      .replace('-', '')
      .padStart(8, '1')
  return {
    context: {
      traceId: `4bf92f3577b34da6${hex(0x9e3779b1)}${hex(0x85ebca6b)}`,
      spanId: `00f067aa${hex(0xc2b2ae35)}`,
      parentSpanId: `b7ad6b71${hex(0x27d4eb2f)}`,
      sampled: true,
    },
    name: 'infer',
    kind: 'internal',
    startMs: 55_000 + i * 7.3,
    durationMs: inference + 0.61,
    stages: { queue: 0.031 + i * 0.001, input: 0.212, inference, output: 0.148 + (i % 5) * 0.01 },
    model: 'mobilenet',
    device: i % 2 === 0 ? 'wasm' : 'webgpu',
    place: 'local',
    sync: 'await',
    batchSize: 1,
    inputBytes: 602_112,
    outputBytes: 4000,
    warm: true,
    outcome: 'ok',
  }
}
