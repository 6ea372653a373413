import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stages } from '@tandem/telemetry'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, openPage } from '../harness/chromium.js'
import { buildAndServe, type ServedPage } from '../harness/pages.js'
import { type Running, tandem } from '../harness/processes.js'
import type { Setup } from './page.js'

const blazeface = fileURLToPath(new URL('../../demo/models/blazeface/1/model.onnx', import.meta.url))

let folder: string
let collector: Running
let server: Running
let served: ServedPage
let browser: Browser
let page: Page
let problems: string[]
let requests: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-road-'))
  await mkdir(join(folder, 'models/blazeface/1'), { recursive: true })
  await cp(blazeface, join(folder, 'models/blazeface/1/model.onnx'))
  collector = await tandem('collect', '--dir', join(folder, 'telemetry'))
  server = await tandem('serve', join(folder, 'models'), '--collector', collector.url)
  served = await buildAndServe(new URL('.', import.meta.url))
  await cp(blazeface, join(served.folder, 'blazeface.onnx'))
  browser = await launch()
  ;({ page, problems, requests } = await openPage(browser, served.url))
})

afterAll(async () => {
  await browser?.close()
  await served?.[Symbol.asyncDispose]()
  await server?.stop()
  await collector?.stop()
  await rm(folder, { recursive: true, force: true })
})

function call(kind: Setup['kind'], calls: number, service: string = kind) {
  const setup = {
    kind,
    model: '/blazeface.onnx',
    server: server.url,
    collector: collector.url,
    service,
    calls,
  }
  return page.evaluate((given) => window.road(given), setup)
}

interface SummaryRow {
  readonly service: string
  readonly name: string
  readonly stage: string
  readonly place: string
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

interface TraceSpan {
  readonly service: string
  readonly name: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly durationMs: number
  readonly stages: { readonly [stage: string]: number }
}

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(`${collector.url}${path}`)
  expect(response.status, path).toBe(200)
  return (await response.json()) as T
}

/** Nearest rank, the definition that the sketches use. */
function exact(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN
}

describe.each([
  ['local', 'local', ['call', 'infer', 'preprocess']],
  ['remote', 'remote', ['call', 'infer', 'preprocess', 'serve']],
  ['prefer_on_device', 'local', ['call', 'hybrid', 'infer', 'preprocess']],
  ['prefer_in_cloud', 'remote', ['call', 'hybrid', 'infer', 'preprocess', 'serve']],
] as const)('%s', (kind, place, names) => {
  it('arrives in the collector as one trace a call, with percentiles as exact as promised', async () => {
    const calls = 40
    const figures = await call(kind, calls)
    expect(new Set(figures.places)).toEqual(new Set([place]))
    for (const [index, sum] of figures.stageSums.entries()) {
      expect(sum).toBeLessThanOrEqual((figures.totals[index] ?? 0) + 1e-6)
    }

    const { rows } = await ask<{ rows: SummaryRow[] }>(
      `/v1/summary?service=${kind}&name=${names.find((name) => name === 'hybrid') ?? 'infer'}&stage=total`,
    )
    expect(rows).toHaveLength(1)
    const [row] = rows
    expect(row).toMatchObject({ place, count: calls })
    for (const [name, q] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const) {
      const truth = exact(figures.totals, q)
      expect(Math.abs((row?.[name] ?? 0) - truth) / truth, name).toBeLessThanOrEqual(0.011)
    }

    for (const traceId of figures.traceIds.slice(-3)) {
      const spans = await joined(traceId, names.length)
      expect(spans.map((span) => span.name).sort()).toEqual(names)
      const root = spans.find((span) => span.name === 'call')
      const parents = new Map(spans.map((span) => [span.spanId, span]))
      for (const span of spans) {
        if (span !== root)
          expect(parents.has(span.parentSpanId ?? ''), `${span.name} has its parent in the trace`).toBe(true)
        const sum = stages.reduce((total, stage) => total + (span.stages[stage] ?? 0), 0)
        expect(sum).toBeLessThanOrEqual(span.durationMs + 0.01)
      }
      if (place === 'remote') {
        const serve = spans.find((span) => span.name === 'serve')
        expect(serve?.service).not.toBe(kind)
        expect(parents.get(serve?.parentSpanId ?? '')?.name).toBe('infer')
      }
    }
  })
})

/** The server sends its own spans when it flushes: waits for the collector to hold all of a trace. */
async function joined(traceId: string, count: number): Promise<TraceSpan[]> {
  let spans: TraceSpan[] = []
  const names = async (): Promise<string[]> => {
    spans = (await ask<{ spans: TraceSpan[] }>(`/v1/traces/${traceId}`)).spans
    return spans.map((span) => span.name)
  }
  await expect.poll(names, { timeout: 60_000 }).toHaveLength(count)
  return spans
}

it('gives the same numbers in every place', async () => {
  const local = await call('local', 1, 'same-local')
  const remote = await call('remote', 1, 'same-remote')
  expect(local.firstOutput.length).toBeGreaterThan(0)
  // The boxes count in pixels: 1e-4 of the value where that is more than 1.
  const worst = Math.max(
    ...local.firstOutput.map((value, index) => {
      const other = remote.firstOutput[index] ?? Number.NaN
      return Math.abs(value - other) / Math.max(1, Math.abs(value))
    }),
  )
  expect(worst).toBeLessThanOrEqual(1e-4)
})

it('only_on_device sends nothing to the server, whatever fails', async () => {
  const before = requests.length
  const ends = await page.evaluate(() => window.failuresOnDevice('/blazeface.onnx'))
  expect(ends).toEqual([
    'NOT_A_MODEL',
    'DEVICE_UNAVAILABLE',
    'MODEL_NOT_FOUND',
    'NOT_A_MODEL',
    'INVALID_INPUT',
    'left',
    'DEADLINE',
    'ok',
    'DISPOSED',
  ])
  expect(requests.slice(before).filter((url) => !url.startsWith(served.url))).toEqual([])
})

it('falls back to the device when the server goes away, and the page says nothing is wrong', async () => {
  const gone = await tandem('serve', join(folder, 'models'))
  await gone.stop()
  const setup = {
    kind: 'prefer_in_cloud',
    model: '/blazeface.onnx',
    server: gone.url,
    collector: collector.url,
    service: 'gone',
    calls: 2,
  } as const
  const figures = await page.evaluate((given) => window.road(given), setup)
  expect(figures.places).toEqual(['local', 'local'])
  expect(
    problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED') && !problem.includes('404')),
  ).toEqual([])
})
