import { type Browser, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../scripts/browser.mjs'

/** `none`: the page has `navigator.gpu` and no adapter, as on many Linux machines. `software`: SwiftShader, slow and real. */
export type Gpu = 'none' | 'software'

const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const flags: { readonly [G in Gpu]: readonly string[] } = {
  none: [],
  software: ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
}

export async function launch(gpu: Gpu = 'none'): Promise<Browser> {
  const executablePath = await findBrowser()
  if (executablePath === undefined) throw new Error('No Chromium; npm test gets one, or set TANDEM_BROWSER.')
  return chromium.launch({ executablePath, args: [...quiet, ...flags[gpu]] })
}

/** A page, and everything that went wrong in it: test that `problems` is empty. */
export async function openPage(
  browser: Browser,
  url: string,
): Promise<{ page: Page; problems: string[]; requests: string[] }> {
  const page = await browser.newPage()
  const problems: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(url)
  return { page, problems, requests }
}
