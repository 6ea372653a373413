// Everything that must hold before a change lands, in the order in which a failure is cheapest. Installs what is missing.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { root, run } from './command.mjs'
import { ensureInstalled, fail } from './install.mjs'

await ensureInstalled()
const { ensureBrowser } = await import('./browser.mjs')
const browser = await ensureBrowser().catch((error) => fail(error.message))

const results = new URL('.tandem/test/', root)
await rm(results, { recursive: true, force: true })
await mkdir(results, { recursive: true })
const env = { ...process.env, TANDEM_BROWSER: browser }

const steps = [
  { name: 'build', command: ['npm', 'run', '--silent', 'build'], needed: true },
  { name: 'check', command: ['npm', 'run', '--silent', 'check'] },
  { name: 'size', command: [process.execPath, 'scripts/size.mjs'] },
  { name: 'unit', command: vitest('unit') },
  { name: 'e2e', command: vitest('e2e') },
]

const failed = []
for (const step of steps) {
  const [command, ...args] = step.command
  console.log(`\n── ${step.name}: ${step.command.slice(-3).join(' ')}`)
  if ((await run(command, args, { cwd: root, env })) === 0) continue
  failed.push(step.name)
  if (step.needed) break
}

const counts = { passed: 0, failed: 0, skipped: 0 }
for (const project of ['unit', 'e2e']) {
  const report = await readFile(new URL(`${project}.json`, results), 'utf8').then(JSON.parse, () => undefined)
  counts.passed += report?.numPassedTests ?? 0
  counts.failed += report?.numFailedTests ?? 0
  counts.skipped += (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0)
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
if (failed.length > 0) fail(`Failed: ${failed.join(', ')}`)

/** @param {string} project */
function vitest(project) {
  const report = fileURLToPath(new URL(`${project}.json`, results))
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return ['npx', '--no', 'vitest', 'run', ...reporters, '--project', project]
}
