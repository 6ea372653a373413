import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Collecting, collect } from '@tandem/collector'
import { sampleBatch } from '@tandem/collector/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, openPage } from './harness/chromium.js'

const traceId = '7'.repeat(32)
const [root, infer, serve] = ['1', '2', '3'].map((digit) => digit.repeat(16)) as [string, string, string]
const hostile = '<img src=x onerror="globalThis.harmed=1">'

let browser: Browser
let collecting: Collecting
let dir: string
let seq = 0

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tandem-dashboard-'))
  collecting = await collect({ dir, port: 0 })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await collecting.close()
  await rm(dir, { recursive: true, force: true })
})

async function send(batch: Parameters<typeof sampleBatch>[0]): Promise<void> {
  const body = JSON.stringify(sampleBatch({ seq: seq++, ...batch }))
  const response = await fetch(`${collecting.url}/v1/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(response.status).toBe(200)
}

async function sendTrace(): Promise<void> {
  const call = { traceId, model: 'blazeface' }
  await send({
    model: 'blazeface',
    device: 'wasm',
    place: 'local',
    times: { total: [10, 12, 40], queue: [1, 1, 2], inference: [8, 9, 33], unattributed: [1, 2, 5] },
    recorded: 60,
    dropped: { sampled: 40, exit: 3 },
    spans: [
      { traceId, spanId: root, name: 'detect', durationMs: 20 },
      {
        ...call,
        spanId: infer,
        parentSpanId: root,
        startMs: 4,
        durationMs: 12,
        stages: { network: 7, inference: 4 },
      },
    ],
  })
  await send({
    service: 'model-server',
    instance: '00000000000000b2',
    spans: [
      { ...call, spanId: serve, parentSpanId: infer, name: 'serve', durationMs: 5, stages: { inference: 4 } },
    ],
  })
}

/** Presses Tab until the element has the focus, as someone without a mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return
  }
  throw new Error(`the keyboard never reaches ${selector}`)
}

describe('the dashboard', () => {
  it('says how to send the first figures, and shows them by itself when they come', async () => {
    const { page, problems } = await openPage(browser, collecting.url)
    await page.getByText('Nothing has been sent here yet').waitFor()
    expect(await page.locator('pre').textContent()).toContain(`${collecting.url}/v1/batch`)
    await sendTrace()
    await page.getByRole('heading', { name: 'Percentiles' }).waitFor()
    const row = page.locator('.figures').first().locator('tbody tr').first()
    expect(await row.textContent()).toMatch(/infer blazeface[\s\S]*local · wasm[\s\S]*3[\s\S]*40\.0 ms/)
    await page.locator('.plot canvas').waitFor()
    const ledger = page.locator('section', { has: page.getByRole('heading', { name: 'Drop ledger' }) })
    expect(await ledger.textContent()).toMatch(/sampled 40[\s\S]*exit 3/)
    expect(problems).toEqual([])
    await page.close()
  })

  it('is worked by the keyboard alone: opens stages, and a trace of page and server as one', async () => {
    const { page, problems } = await openPage(browser, collecting.url)
    await page.locator('.opener').first().waitFor()
    await tabTo(page, '.opener')
    await page.keyboard.press('Enter')
    expect(await page.locator('tr.stage th').allInnerTexts()).toEqual(['queue', 'inference', 'unattributed'])
    await tabTo(page, '.picks button')
    await page.keyboard.press('Enter')
    await page.locator('.waterfall li').nth(2).waitFor()
    expect(await page.locator('.waterfall').textContent()).toMatch(
      /detect[\s\S]*infer[\s\S]*serve[\s\S]*model-server/,
    )
    expect(page.url()).toContain(`trace=${traceId}`)
    await page.reload()
    await page.locator('.waterfall li').nth(2).waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  it('shows what a stranger sends as text, and asks nobody but its own host', async () => {
    await send({
      instance: '00000000000000c3',
      service: hostile,
      name: hostile,
      model: hostile,
      times: { total: [5] },
    })
    await send({
      instance: '00000000000000c4',
      service: hostile,
      spans: [{ traceId: '8'.repeat(32), spanId: root, name: hostile, outcome: hostile, why: hostile }],
    })
    const { page, problems, requests } = await openPage(browser, `${collecting.url}/#trace=${'8'.repeat(32)}`)
    await page.locator('.figures').first().getByText(hostile).first().waitFor()
    await page.locator('.waterfall').getByText(hostile).first().waitFor()
    expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false)
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(requests.filter((url) => !url.startsWith(`${collecting.url}/`))).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  it('labels each minute once, also when there is only one', async () => {
    const page = await browser.newPage()
    await page.addInitScript(() => {
      const drawn: string[] = []
      Object.assign(globalThis, { drawn })
      const { fillText, clearRect } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        drawn.push(text)
        fillText.call(this, text, ...rest)
      }
      // Each drawing begins with it.
      CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        drawn.length = 0
        clearRect.apply(this, box)
      }
    })
    await page.goto(collecting.url)
    const minutes = async (): Promise<string[]> => {
      const drawn = await page.evaluate(() => (globalThis as { drawn?: string[] }).drawn ?? [])
      return drawn.filter((text) => /^\d\d:\d\d$/.test(text))
    }
    await expect.poll(async () => (await minutes()).length, { timeout: 15_000 }).toBeGreaterThan(1)
    const labels = await minutes()
    expect(labels).toEqual([...new Set(labels)])
    await page.close()
  })

  it.each(['light', 'dark'] as const)('fits a phone of 360 px in %s', async (colorScheme) => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme })
    const page = await context.newPage()
    await page.goto(collecting.url)
    await page.locator('.plot canvas').waitFor()
    const { width, paper } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      paper: getComputedStyle(document.documentElement).backgroundColor,
    }))
    expect(width).toBe(360)
    expect(paper).toBe(colorScheme === 'dark' ? 'rgb(19, 19, 20)' : 'rgb(246, 246, 243)')
    await context.close()
  })

  it('keeps the last figures when the collector goes away, and says since when', async () => {
    const { page } = await openPage(browser, collecting.url)
    await page.locator('.opener').first().waitFor()
    await collecting.close()
    await page.getByText(/no answer since \d\d:\d\d:\d\d/).waitFor()
    expect(await page.locator('.opener').count()).toBeGreaterThan(0)
    collecting = await collect({ dir, port: Number(new URL(collecting.url).port) })
    await page.getByText('live', { exact: true }).waitFor()
    await page.close()
  })
})
