import { expect, test } from 'vitest'
import { memoryExporter } from './exporters/memory.js'
import type { Span } from './span.js'
import { createTelemetry } from './telemetry.js'
import { sampleSpan } from './testing/batch.js'

function start() {
  const t = createTelemetry(
    { service: 'test', log: 'none', sample: 0, worstPerMinute: 0, exporters: [memoryExporter()] },
    { environment: 'production' },
  )
  const record = (change: Partial<Span>): void =>
    t.record({ ...sampleSpan(0), context: t.child(), ...change })
  return { t, record }
}

test('figures are of every call, sampled out or not, by label and by stage', () => {
  const { t, record } = start()
  for (let i = 1; i <= 100; i++)
    record({ durationMs: i, stages: { inference: i / 2 }, model: 'a', device: 'wasm' })
  record({ durationMs: 1000, stages: undefined, model: 'a', device: 'webgpu', name: 'load' })
  record({ durationMs: 2000, stages: undefined, model: 'b', place: 'remote' })
  expect(t.ledger().dropped).toEqual({ sampled: 100 })
  expect(t.stats({ model: 'a', device: 'wasm' })).toMatchObject({ count: 100, mean: 50.5, min: 1, max: 100 })
  expect(t.stats({ model: 'a', device: 'wasm' }).p95 / 95).toBeCloseTo(1, 1)
  expect(t.stats({ stage: 'inference' })).toMatchObject({ count: 100, max: 50 })
  expect(t.stats({ stage: 'unattributed', device: 'wasm' })).toMatchObject({ count: 100, mean: 25.25 })
  expect(t.stats({ name: 'load' })).toMatchObject({ count: 1, max: 1000 })
  expect(t.stats({ place: 'remote' })).toMatchObject({ count: 1, max: 2000 })
  expect(t.stats()).toMatchObject({ count: 102, max: 2000 })
  expect(t.stats({ model: 'c' })).toMatchObject({ count: 0, mean: Number.NaN })
})

test('figures stay when they have been sent', async () => {
  const { t, record } = start()
  record({ durationMs: 1 })
  await t.flush()
  record({ durationMs: 3 })
  expect(t.stats()).toMatchObject({ count: 2, mean: 2, min: 1, max: 3 })
})

test('throughput is calls a second from the first one’s start to the last one’s end', () => {
  const { t, record } = start()
  for (let i = 0; i < 10; i++) record({ startMs: 1000 + i * 200, durationMs: 200 })
  expect(t.stats().throughput).toBeCloseTo(5)
  expect(t.stats({ model: 'none' }).throughput).toBeNaN()
})
