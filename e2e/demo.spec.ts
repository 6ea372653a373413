import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, openPage } from './harness/chromium.js'
import { freePorts, type Ports, start } from './harness/start.js'

let ports: Ports
let started: ReturnType<typeof start>
let browser: Browser
let page: Page
let problems: string[]
let requests: string[]

const url = (port: number): string => `http://127.0.0.1:${port}`

beforeAll(async () => {
  ports = await freePorts()
  started = start(ports)
  await started.prints('Ctrl-C stops all three.')
  browser = await launch()
  ;({ page, problems, requests } = await openPage(browser, url(ports.demo)))
})

afterAll(async () => {
  await browser?.close()
  started?.run.child.kill('SIGTERM')
  await started?.run.exit
})

/** Chooses by test id, as a click on the label would. */
const choose = (id: string, on = page): Promise<void> => on.getByTestId(id).check({ force: true })

async function runs(count: number, place: string, on = page): Promise<void> {
  await choose(`place-${place}`, on)
  await on.getByTestId('runs').fill(String(count))
  await on.getByTestId('run').click()
  await idle(on)
}

const idle = (on = page): Promise<unknown> =>
  on.waitForFunction('document.querySelector("[data-testid=stop]").disabled', undefined, { timeout: 120_000 })

const result = (choice: string, on = page) =>
  on.locator(`[data-testid=place-result][data-choice=${choice}]`).first()

async function difference(choice: string, on = page): Promise<{ value: number; wrong: boolean }> {
  const cell = result(choice, on).getByTestId('difference')
  const [value, wrong] = [await cell.getAttribute('data-value'), await cell.getAttribute('data-wrong')]
  return { value: Number(value), wrong: wrong === 'true' }
}

describe('BlazeFace on a portrait', () => {
  it.each([
    ['wasm', 'local', 'wasm'],
    ['auto', 'local', 'wasm'],
    ['server', 'remote', 'remote'],
    ['prefer_on_device', 'local', 'wasm'],
    ['only_on_device', 'local', 'wasm'],
    ['prefer_in_cloud', 'remote', 'remote'],
    ['only_in_cloud', 'remote', 'remote'],
  ])('%s runs on %s %s, finds the face and equals the reference', async (choice, place, device) => {
    await runs(3, choice)
    const last = page.getByTestId('run-log').first()
    expect(await last.getAttribute('data-place')).toBe(place)
    expect(await last.getAttribute('data-device')).toBe(device)
    expect(await page.getByTestId('box').count()).toBe(1)
    expect(Number(await page.getByTestId('box').getAttribute('data-score'))).toBeGreaterThan(0.9)
    expect(await difference(choice)).toEqual({ value: expect.closeTo(0, 4), wrong: false })
  })

  it('a file dropped while it runs changes nothing, and offline says what to do', async () => {
    const drop = (): Promise<void> =>
      page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['x'], 'dropped.wav', { type: 'audio/wav' }))
        window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))
      })
    await choose('place-wasm')
    await page.getByTestId('runs').fill('200')
    await page.getByTestId('run').click()
    await drop()
    expect(await page.getByTestId('dropzone').textContent()).not.toContain('dropped.wav')
    await page.getByTestId('stop').click()
    await idle()
    expect(await page.getByTestId('model-blazeface').isChecked()).toBe(true)

    const fresh = await openPage(browser, url(ports.demo))
    await fresh.page.getByTestId('run').waitFor()
    await fresh.page.context().setOffline(true)
    await fresh.page.getByTestId('run').click()
    await idle(fresh.page)
    expect(await fresh.page.getByTestId('message').textContent()).toContain('online')
    await fresh.page.close()
  })

  it('only on the device: the server is not asked for anything about a model', async () => {
    const before = requests.length
    await runs(2, 'only_on_device')
    expect(requests.slice(before).filter((asked) => asked.includes('/v2/models'))).toEqual([])
  })

  it('says why there is no WebGPU here, and why auto chose WASM', async () => {
    await runs(1, 'webgpu')
    expect(await page.locator('[data-testid=failure][data-choice=webgpu]').getAttribute('data-code')).toBe(
      'DEVICE_UNAVAILABLE',
    )
    expect(
      await page.locator('[data-testid=session][data-choice=auto]').getByTestId('why').textContent(),
    ).toContain('webgpu')
  })
})

describe('Silero on speech', () => {
  it.each(['wasm', 'server'])('%s hears it, and equals the reference', async (choice) => {
    await choose('model-silero_vad')
    await runs(1, choice)
    expect(await page.getByTestId('speech-span').count()).toBeGreaterThan(0)
    expect(await difference(choice)).toEqual({ value: expect.closeTo(0, 3), wrong: false })
  })
})

it('shows download, session creation, first and warm runs apart, and each stage', async () => {
  const unfold = page.getByTestId('stages').getByText('Show the stages')
  if (await unfold.isVisible()) await unfold.click()
  const rows = await result('wasm')
    .locator('[data-row]')
    .evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).dataset.row))
  expect(rows).toEqual(
    expect.arrayContaining(['download', 'session creation', 'first run', 'total', 'inference']),
  )
})

it('stops at once and keeps what was measured', async () => {
  await choose('model-blazeface')
  await choose('place-server')
  await page.getByTestId('runs').fill('1000')
  await page.getByTestId('run').click()
  await page.waitForFunction('document.querySelector("[data-testid=progress]").value > 0.005')
  await page.getByTestId('stop').click()
  await idle()
  expect(await page.getByTestId('progress').getAttribute('value')).toBe('0')
  expect(await page.getByTestId('run-log').count()).toBeGreaterThan(0)
})

it('refuses a file that is no picture, with the reason', async () => {
  await page
    .getByTestId('file-input')
    .setInputFiles({ name: 'cat.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture') })
  await runs(1, 'wasm')
  expect(await page.getByTestId('message').getAttribute('data-code')).toBe('INVALID_INPUT')
})

it('works with the keyboard alone', async () => {
  await page.getByTestId('input-portrait').focus()
  await page.keyboard.press('Space')
  await page.getByTestId('place-wasm').focus()
  await page.keyboard.press('Space')
  await page.getByTestId('runs').fill('1')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.testid)).toBe('run')
  await page.keyboard.press('Enter')
  await idle()
  expect(await page.getByTestId('box').count()).toBe(1)
})

it.each(['light', 'dark'] as const)("fits a phone's width, %s", async (colorScheme) => {
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 }, colorScheme })
  await phone.goto(url(ports.demo))
  await runs(1, 'wasm', phone)
  const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  const ink = await phone.evaluate(() =>
    Math.max(...(getComputedStyle(document.body).color.match(/\d+/g) ?? []).map(Number)),
  )
  expect(ink > 128).toBe(colorScheme === 'dark')
  await phone.close()
})

it('its latencies stand on the dashboard', async () => {
  const dashboard = await browser.newPage()
  await dashboard.goto(url(ports.collector))
  await dashboard.getByText('infer blazeface').first().waitFor()
  await dashboard.getByText('serve blazeface').first().waitFor()
  await dashboard.close()
})

it('asked nobody but its own three, and nothing went wrong', async () => {
  const own = Object.values(ports).map(url)
  expect(
    requests.filter((asked) => !/^(data|blob):/.test(asked) && !own.some((host) => asked.startsWith(host))),
  ).toEqual([])
  expect(problems).toEqual([])
})

describe('software WebGPU', () => {
  let gpu: Browser

  beforeAll(async () => {
    gpu = await launch('software')
  })

  afterAll(async () => {
    await gpu?.close()
  })

  it('agrees on BlazeFace, and its wrong numbers on Silero are shown', async () => {
    const opened = await openPage(gpu, url(ports.demo))
    await runs(1, 'webgpu', opened.page)
    expect(await difference('webgpu', opened.page)).toEqual({ value: expect.closeTo(0, 4), wrong: false })
    await choose('model-silero_vad', opened.page)
    await choose('place-webgpu', opened.page)
    await opened.page.getByTestId('run').click()
    await opened.page
      .locator('[data-testid=difference][data-wrong=true]')
      .first()
      .waitFor({ timeout: 120_000 })
    await opened.page.getByTestId('stop').click()
    await idle(opened.page)
    expect((await difference('webgpu', opened.page)).value).toBeGreaterThan(1e-3)
  })
})
