// What telemetry costs one inference with four stages, beside OpenTelemetry (five spans) and prom-client (five observations).
import { SpanStatusCode } from '@opentelemetry/api'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { telemetry } from '@tandem/telemetry'
import { Histogram, Registry } from 'prom-client'

const rounds = 30
const perRound = 2000
const stages = { queue: 0.05, input: 0.2, inference: 5.1, output: 0.15 }

/** Nanoseconds a call, the median of the rounds; the subjects take turns, so that they share the machine's moods. */
async function measure(subjects) {
  const samples = subjects.map(() => [])
  for (let round = -5; round < rounds; round++) {
    for (const [i, { call }] of subjects.entries()) {
      const start = performance.now()
      for (let n = 0; n < perRound; n++) call(n)
      const took = performance.now() - start
      if (round >= 0) samples[i].push((took * 1e6) / perRound)
      // Lets exporters run, and counts none of it: what they do off the caller's tick is not the caller's cost.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return samples.map((list) => list.sort((a, b) => a - b)[rounds >> 1])
}

const noop = {
  name: 'noop',
  export: async (batch) => ({ delivered: batch.spans.n }),
  shutdown: async () => {},
}

/** Everything is kept: the dearest case. */
function ours(options) {
  const t = telemetry({ service: 'bench', exporters: [noop], log: 'none', ...options })
  return {
    t,
    call(n) {
      t.record({
        context: t.child(),
        name: 'infer',
        kind: 'internal',
        startMs: performance.now(),
        durationMs: 5.5 + (n % 64),
        stages: {
          queue: stages.queue,
          input: stages.input,
          inference: stages.inference + (n % 64),
          output: stages.output,
        },
        model: 'mobilenet',
        device: 'wasm',
        place: 'local',
        sync: 'await',
        batchSize: 1,
        warm: true,
        outcome: 'ok',
      })
    },
  }
}

function openTelemetry() {
  const exporter = {
    export: (_spans, done) => done({ code: 0 }),
    shutdown: async () => {},
    forceFlush: async () => {},
  }
  const processor = new BatchSpanProcessor(exporter, { maxQueueSize: 1e6, scheduledDelayMillis: 1 })
  const tracer = new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('bench')
  const names = Object.keys(stages)
  const attributes = {
    model: 'mobilenet',
    device: 'wasm',
    place: 'local',
    sync: 'await',
    batchSize: 1,
    warm: true,
  }
  return {
    close: () => processor.shutdown(),
    call() {
      const span = tracer.startSpan('infer', { attributes })
      for (const name of names) tracer.startSpan(name).end()
      span.setStatus({ code: SpanStatusCode.OK })
      span.end()
    },
  }
}

function promClient() {
  const histogram = new Histogram({
    name: 'inference_seconds',
    help: 'Inference time by stage',
    labelNames: ['model', 'device', 'place', 'stage'],
    registers: [new Registry()],
  })
  const observe = (stage, ms) =>
    histogram.observe({ model: 'mobilenet', device: 'wasm', place: 'local', stage }, ms / 1000)
  return {
    call(n) {
      observe('total', 5.5 + (n % 64))
      observe('queue', stages.queue)
      observe('input', stages.input)
      observe('inference', stages.inference + (n % 64))
      observe('output', stages.output)
    },
  }
}

export async function rows() {
  const all = ours({ environment: 'development' })
  const few = ours({ environment: 'production' })
  const otel = openTelemetry()
  const [kept, sampled, spans, observations] = await measure([all, few, otel, promClient()])
  await all.t.shutdown()
  await few.t.shutdown()
  await otel.close()
  const row = (name, value, unit, goal, pass) => ({ name, value, unit, goal, pass })
  return [
    row('telemetry: one inference, four stages, span kept', kept, 'ns'),
    row('telemetry: the same, a tenth kept', sampled, 'ns'),
    row('five OpenTelemetry spans', spans, 'ns'),
    row('five prom-client observations', observations, 'ns'),
    row('five OpenTelemetry spans / telemetry', spans / kept, '×', '≥ 20', spans / kept >= 20),
    row(
      'five prom-client observations / telemetry',
      observations / kept,
      '×',
      '≥ 5',
      observations / kept >= 5,
    ),
  ]
}
