import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, run } from './command.mjs'

const variable = 'TANDEM_BROWSER'
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge']

/**
 * The Chromium to test in: the one that TANDEM_BROWSER names, Playwright's own, or the system's.
 *
 * @returns {Promise<string | undefined>}
 */
export async function findBrowser() {
  const named = process.env[variable]
  if (named) {
    if (!executable(named)) throw new Error(`${variable} names no program that can be run: ${named}`)
    return named
  }
  const { chromium } = await import('playwright-core')
  const own = chromium.executablePath()
  if (own && existsSync(own)) return own
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(executable)
}

/** Finds a Chromium, or gets one. @returns {Promise<string>} */
export async function ensureBrowser() {
  const found = await findBrowser()
  if (found) return found
  console.log('No Chromium found; getting one …')
  const debian = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  if (debian && (await run('apt-get', ['update'])) === 0) {
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
  }
  // Ubuntu's `chromium` package is a stub that asks for snap: only what runs counts.
  const installed = await findBrowser()
  if (installed && (await run(installed, ['--version'])) === 0) return installed
  const playwright = fileURLToPath(new URL('node_modules/playwright-core/cli.js', root))
  await run(process.execPath, [playwright, 'install', ...(debian ? ['--with-deps'] : []), 'chromium'])
  const downloaded = await findBrowser()
  if (downloaded) return downloaded
  throw new Error(
    `The end-to-end tests need a Chromium and none could be had. Install one (Debian: apt-get install chromium) or set ${variable} to its path.`,
  )
}

/** @param {string} path */
function executable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
