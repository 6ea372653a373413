import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { root, run } from './command.mjs'

const minimum = [20, 19]

/** Installs the locked packages unless exactly these are installed already. Ends the process with a sentence when it can't. */
export async function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < minimum[0] || (major === minimum[0] && minor < minimum[1])) {
    fail(`Tandem needs Node ${minimum.join('.')} or newer; this is ${process.version}.`)
  }
  const lock = createHash('sha256')
    .update(await readFile(new URL('package-lock.json', root)))
    .digest('hex')
  const stamp = new URL('node_modules/.tandem-lock', root)
  if ((await readFile(stamp, 'utf8').catch(() => '')) === lock) return
  console.log('Installing packages (npm ci) …')
  if ((await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root })) !== 0) {
    fail('npm ci failed; its last lines above say why.')
  }
  await writeFile(stamp, lock)
}

/** @param {string} message @returns {never} */
export function fail(message) {
  console.error(message)
  process.exit(1)
}
