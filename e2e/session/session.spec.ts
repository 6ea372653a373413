import { readdir } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { dtypes } from '@tandem/sdk'
import { tandem } from '@tandem/sdk/vite'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, openPage } from '../harness/chromium.js'
import { buildAndServe, type ServedPage } from '../harness/pages.js'
import type {} from './page.js'

// Every dtype but float16, which SwiftShader has no shader-f16 for.
const withoutFloat16 = dtypes.filter((dtype) => dtype !== 'float16')

describe('sessions in Chromium', () => {
  let served: ServedPage
  let plain: ServedPage
  let browser: Browser
  let gpuBrowser: Browser
  let page: Page
  let gpuPage: Page
  let problems: string[]
  let requests: string[]

  beforeAll(async () => {
    const source = new URL('./', import.meta.url)
    served = await buildAndServe(source)
    plain = await buildAndServe(source, { isolated: false, config: { worker: { format: 'iife' } } })
    browser = await launch('none')
    gpuBrowser = await launch('software')
    ;({ page, problems, requests } = await openPage(browser, served.url))
    // One page for all of WebGPU: each start of software WebGPU takes seconds.
    gpuPage = (await openPage(gpuBrowser, served.url)).page
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), gpuBrowser?.close()])
    await served?.[Symbol.asyncDispose]()
    await plain?.[Symbol.asyncDispose]()
  })

  it('keeps every promise in memory', async () => {
    expect(await page.evaluate(() => window.sessions.cases('memory', { moves: false }))).toMatchObject({
      failures: [],
    })
  })

  it('keeps every promise on WASM', async () => {
    const result = await page.evaluate(() => window.sessions.cases('wasm', { slowLayers: 12 }))
    expect(result).toMatchObject({ failures: [] })
    expect(problems).toEqual([])
  })

  it('keeps every promise on WASM in the page itself', async () => {
    const options = { slowLayers: 12, moves: false, blocks: true }
    const result = await page.evaluate((given) => window.sessions.cases('inline', given), options)
    expect(result).toMatchObject({ failures: [] })
  })

  it('keeps every promise on software WebGPU', async () => {
    const options = { slowLayers: 1, tolerance: 1e-3, dtypes: withoutFloat16 }
    expect(await gpuPage.evaluate((given) => window.sessions.cases('webgpu', given), options)).toMatchObject({
      failures: [],
    })
  })

  it('answers 100 parallel runs, and the heartbeat goes on', async () => {
    for (const [device, where] of [
      ['wasm', page],
      ['webgpu', gpuPage],
    ] as const) {
      const { right, longestGapMs, totalMs } = await where.evaluate(
        (name) => window.sessions.crowd(name),
        device,
      )
      expect(right).toBe(100)
      expect(longestGapMs, `of ${totalMs} ms on ${device}`).toBeLessThan(Math.max(totalMs / 2, 50))
    }
  })

  it("'auto' takes WASM on a null adapter and on a software adapter, and says why", async () => {
    const without = await page.evaluate(() => window.sessions.outcome({ device: 'auto' }))
    expect(without).toMatchObject({
      device: 'wasm',
      attempts: [
        { device: 'webgpu', outcome: 'skipped' },
        { device: 'wasm', outcome: 'ok' },
      ],
    })
    expect(without.why).toContain('no adapter')
    const software = await gpuPage.evaluate(() => window.sessions.outcome({ device: 'auto' }))
    expect(software).toMatchObject({
      device: 'wasm',
      attempts: [
        { device: 'webgpu', outcome: 'skipped' },
        { device: 'wasm', outcome: 'ok' },
      ],
    })
    expect(software.why).toContain('software')
  })

  it('is strict about one name, and falls back along a list', async () => {
    const strict = await page.evaluate(() => window.sessions.outcome({ device: 'webgpu' }))
    expect(strict).toMatchObject({ code: 'DEVICE_UNAVAILABLE', attempts: [{ device: 'webgpu' }] })
    expect(await page.evaluate(() => window.sessions.outcome({ device: ['webgpu', 'wasm'] }))).toMatchObject({
      device: 'wasm',
    })
    const node = await page.evaluate(() => window.sessions.outcome({ device: 'cuda' }))
    expect(node).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('webgpu, webnn, wasm'),
    })
  })

  it('refuses float16 where the GPU has none', async () => {
    const half = await gpuPage.evaluate(() => window.sessions.outcome({ device: 'webgpu' }, 'float16'))
    expect(half).toMatchObject({ code: 'FEATURE_MISSING', message: expect.stringContaining('shader-f16') })
    const next = await gpuPage.evaluate(() =>
      window.sessions.outcome({ device: ['webgpu', 'wasm'] }, 'float16'),
    )
    expect(next).toMatchObject({
      device: 'wasm',
      attempts: [{ outcome: 'failed', code: 'FEATURE_MISSING' }, { outcome: 'ok' }],
    })
  })

  it('holds the page up for at most a fifth of what raw onnxruntime does', async () => {
    const { rawMs, realmMs } = await page.evaluate(() => window.sessions.gaps())
    expect(rawMs).toBeGreaterThan(100)
    expect(realmMs).toBeLessThan(rawMs / 5)
  })

  it('notices the silent death of a worker: nothing hangs, and the next load works', async () => {
    const codes = await page.evaluate(() => window.sessions.death())
    expect(codes).toEqual(['REALM_CRASHED', 'REALM_CRASHED', 'REALM_CRASHED', 'ok'])
  })

  it('says so when a page is served in the place of a model, or nothing is', async () => {
    const pageForModel = await page.evaluate(() => window.sessions.outcome({}, './index.html'))
    expect(pageForModel).toMatchObject({
      code: 'NOT_A_MODEL',
      message: expect.stringContaining('<!doctype html>'),
    })
    expect(await page.evaluate(() => window.sessions.outcome({}, './none.onnx'))).toMatchObject({
      code: 'MODEL_NOT_FOUND',
    })
    problems.length = 0
  })

  it('runs with threads where the page is isolated, in the default worker format too, and says why not elsewhere', async () => {
    const isolated = await page.evaluate(() => window.sessions.outcome({ device: 'wasm', threads: 2 }))
    expect(isolated.threads).toMatchObject({ requested: 2, actual: 2 })
    const { page: bare } = await openPage(browser, plain.url)
    const alone = await bare.evaluate(() => window.sessions.outcome({ device: 'wasm', threads: 2 }))
    expect(alone.threads).toMatchObject({
      requested: 2,
      actual: 1,
      reason: expect.stringContaining('cross-origin isolated'),
    })
    await bare.close()
  })

  it('says so when the device asked for was left out of the build', async () => {
    await using small = await buildAndServe(new URL('./', import.meta.url), {
      config: { plugins: [tandem({ runtimes: ['wasm'] })] },
    })
    const files = await readdir(new URL('assets/', pathToFileURL(`${small.folder}/`)))
    expect(files.filter((name) => name.endsWith('.wasm'))).toHaveLength(1)
    const { page: only } = await openPage(gpuBrowser, small.url)
    const strict = await only.evaluate(() => window.sessions.outcome({ device: 'webgpu' }))
    expect(strict).toMatchObject({ code: 'DEVICE_UNAVAILABLE', message: expect.stringContaining('left out') })
    expect(await only.evaluate(() => window.sessions.outcome({}))).toMatchObject({ device: 'wasm' })
    await only.close()
  })

  // The last one on the GPU: it ends its process.
  it('says DEVICE_LOST when the GPU process crashes: nothing hangs', async () => {
    const lost = gpuPage.evaluate(() => window.sessions.untilLost())
    await gpuPage.waitForFunction(() => document.title === 'ready to be lost')
    const devtools = await gpuBrowser.newBrowserCDPSession()
    await devtools.send('Browser.crashGpuProcess')
    expect(await lost).toEqual(['DEVICE_LOST'])
  })

  it('fetches nothing from another host, and one runtime file only', () => {
    expect(requests.filter((url) => !url.startsWith(served.url) && !url.startsWith('data:'))).toEqual([])
    const runtimes = new Set(requests.filter((url) => url.endsWith('.wasm')))
    expect([...runtimes]).toHaveLength(1)
  })
})
