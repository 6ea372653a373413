import { describe, expect, test } from 'vitest'
import { encode } from '../encode.js'
import type { Span } from '../span.js'
import { sampleBatch, sampleSpan } from '../testing/batch.js'
import { testExporter } from '../testing/exporter.js'
import { consoleExporter } from './console.js'
import { memoryExporter } from './memory.js'

function printer() {
  const lines: string[] = []
  const say =
    (level: string) =>
    (text: string): void => {
      lines.push(`${level} ${text}`)
    }
  return { lines, console: { debug: say('debug'), warn: say('warn') } }
}

function batchOf(...spans: Span[]) {
  return { ...sampleBatch(0), ...encode(spans, [], 60_000) }
}

describe('console', () => {
  for (const { name, run } of testExporter(() => {
    const { lines, console } = printer()
    return { exporter: consoleExporter({ console }), started: () => lines.length }
  })) {
    test(name, run)
  }
})

describe('memory', () => {
  for (const { name, run } of testExporter(() => {
    const exporter = memoryExporter()
    return { exporter, received: () => exporter.batches, started: () => 0 }
  })) {
    test(name, run)
  }
})

test('in development every call is a line with its stages and its trace', async () => {
  const { lines, console } = printer()
  await consoleExporter({ console }).export(batchOf(sampleSpan(0)))
  expect(lines).toEqual([
    `debug sample: infer mobilenet wasm local 5.61 ms (queue 0.031, input 0.212, inference 5, output 0.148) trace ${sampleSpan(0).context.traceId}`,
  ])
})

test('in production only what was slow or failed is, and a cancelled call is neither', async () => {
  const { lines, console } = printer()
  const quick = sampleSpan(0)
  await consoleExporter({ console, slowMs: 500 }).export(
    batchOf(
      quick,
      { ...quick, durationMs: 500 },
      { ...quick, durationMs: 501, name: 'slow' },
      { ...quick, outcome: 'DEADLINE', name: 'failed' },
      { ...quick, outcome: 'cancelled' },
    ),
  )
  expect(lines.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'warn sample: slow',
    'warn sample: failed',
  ])
})

test('a flood is cut, and its size told', async () => {
  const { lines, console } = printer()
  await consoleExporter({ console }).export(batchOf(...Array.from({ length: 250 }, (_, i) => sampleSpan(i))))
  expect(lines.length).toBe(101)
  expect(lines.at(-1)).toBe('debug sample: … and 150 more calls')
})
