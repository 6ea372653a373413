import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })

/** Runs a module against the built package in a process of its own. */
const run = (script: string, ...flags: string[]): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, '--input-type=module', '--eval', script], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

const moduleOf = (script: string): string =>
  `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`

const use = `
  import { image, preprocessor } from '@tandem/preprocess'
  const plan = image({ input: 'x', resize: 8 })
  const pixels = { width: 2, height: 1, data: Uint8Array.of(1, 2, 3, 4, 5, 6) }
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'base64')
`

test('a program ends by itself, though it never disposed', async () => {
  const { code, output } = await run(`${use}
    const { feeds } = await preprocessor().run(plan, pixels)
    process.stdout.write(String(feeds.x.shape))`)
  expect(output).toBe('1,3,8,8')
  expect(code).toBe(0)
})

test('a program may exit in the middle of a run', async () => {
  const { code, output } = await run(`${use}
    const pre = preprocessor()
    await pre.run(plan, png)
    const large = { width: 4000, height: 3000, data: new Uint8Array(36e6) }
    void pre.run(plan, large)
    void pre.run(plan, png)
    setImmediate(() => process.exit(7))`)
  expect(output).toBe('')
  expect(code).toBe(7)
})

test('importing the package starts nothing and loads no decoder', async () => {
  const { code, output } = await run(`
    await import('@tandem/preprocess')
    const { createRequire } = await import('node:module')
    const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('sharp'))
    process.stdout.write(JSON.stringify([process.getActiveResourcesInfo().filter((kind) => /Worker|Port|Timeout/.test(kind)), loaded]))`)
  expect(output).toBe('[[],[]]')
  expect(code).toBe(0)
})

test('without sharp, pixels work and pictures name the command', async () => {
  const hook = `export const resolve = (name, context, next) => {
    if (name === 'sharp') throw Object.assign(new Error('Cannot find package sharp'), { code: 'ERR_MODULE_NOT_FOUND' })
    return next(name, context)
  }`
  const register = `import { register } from 'node:module'; register('${moduleOf(hook)}')`
  const { code, output } = await run(
    `${use}
    const pre = preprocessor()
    await pre.run(plan, pixels)
    await pre.run(plan, png).catch(({ code, message }) => process.stdout.write(code + ': ' + message))`,
    '--import',
    moduleOf(register),
  )
  expect(output).toMatch(/^UNSUPPORTED: .*npm install sharp/)
  expect(code).toBe(0)
})
