import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Batch, decodeSpans, sketch, validateBatch } from '@tandem/telemetry/wire'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, openPage } from '../harness/chromium.js'
import { buildAndServe, type ServedPage } from '../harness/pages.js'

let browser: Browser
let served: ServedPage

beforeAll(async () => {
  browser = await launch()
  served = await buildAndServe(new URL('./', import.meta.url))
})
afterAll(async () => {
  await browser?.close()
  await served?.[Symbol.asyncDispose]()
})

/** A collector's socket on another origin, as collectors are; counts preflights. */
async function collector() {
  const batches: Batch[] = []
  let preflights = 0
  const server = createServer((request, response) => {
    const allow = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' }
    if (request.method === 'OPTIONS') {
      preflights++
      response.writeHead(204, allow).end()
      return
    }
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const checked = validateBatch(JSON.parse(body))
      if (!checked.ok) throw new Error(checked.error)
      batches.push(checked.batch)
      response.writeHead(200, allow).end(JSON.stringify({ accepted: checked.batch.spans.n, rejected: 0 }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/batch`,
    batches,
    preflights: () => preflights,
    /** Everything recorded, by the figures. */
    counted: () => {
      const total = sketch()
      for (const { sketches } of batches)
        for (const row of sketches) if (row.series === 'total') total.merge(row.sketch)
      return total.stats()
    },
    spans: () => batches.flatMap((batch) => decodeSpans(batch).spans),
    async until(condition: () => boolean): Promise<void> {
      while (!condition()) await new Promise((resolve) => setImmediate(resolve))
    },
    close: () => server.close(),
  }
}

async function open(collectorUrl: string) {
  const opened = await openPage(browser, `${served.url}?collector=${encodeURIComponent(collectorUrl)}`)
  await opened.page.waitForFunction(() => document.title === 'ready')
  return opened
}

test('a page that is left tells all its figures and its slowest calls, without a preflight', async () => {
  const { url, batches, counted, spans, preflights, until, close } = await collector()
  const { page, problems } = await open(url)
  await page.evaluate(() => window.infer(1000))
  expect(batches).toEqual([])
  await page.goto('about:blank')
  await until(() => spans().length >= 400)
  expect(counted()).toMatchObject({ count: 1000, min: 5, max: 1004 })
  expect(spans().some(({ durationMs }) => durationMs === 1004)).toBe(true)
  expect(preflights()).toBe(0)
  expect(problems).toEqual([])
  // What the collector does not get, it knows of.
  expect(batches.find(({ spans }) => spans.n === 0)?.ledger).toMatchObject({
    recorded: 1000,
    delivered: 0,
    pending: 1000,
  })
  close()
})

test('a tab that is closed does so too', async () => {
  const { url, counted, until, close } = await collector()
  const { page } = await open(url)
  await page.evaluate(() => window.infer(20))
  await page.close({ runBeforeUnload: false })
  await until(() => counted().count === 20)
  close()
})

test('a page that is hidden and lives on sends the rest later, nothing twice, and its ledger is even', async () => {
  const { url, batches, counted, spans, close } = await collector()
  const { page } = await open(url)
  await page.evaluate(() => window.infer(1000))
  // Chromium without a window never hides a page by itself; the event is what a switch of tabs dispatches.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
  })
  await page.evaluate(() => window.t.flush({ deadlineMs: 60_000 }))
  expect(await page.evaluate(() => window.t.ledger())).toEqual({
    recorded: 1000,
    delivered: 1000,
    pending: 0,
    dropped: {},
  })
  expect(spans().length).toBe(1000)
  expect(counted().count).toBe(1000)
  expect(new Set(batches.map(({ seq }) => seq)).size).toBe(batches.length)
  await page.close()
  close()
})

test('after shutdown the page’s end sends nothing', async () => {
  const { url, batches, close } = await collector()
  const { page } = await open(url)
  await page.evaluate(() => window.infer(3))
  await page.evaluate(() => window.t.shutdown())
  const before = batches.length
  await page.evaluate(() => window.infer(3))
  await page.goto('about:blank')
  expect(batches.length).toBe(before)
  await page.close()
  close()
})
