import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { remote, tensor } from '@tandem/sdk'
import { add, slow } from '@tandem/sdk/testing'
import { afterEach, expect, it, vi } from 'vitest'

const main = fileURLToPath(new URL('../dist/main.node.js', import.meta.url))
const minute = 60_000
vi.setConfig({ testTimeout: minute })

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Tandem {
  readonly child: ChildProcess
  readonly exit: Promise<number | null>
  out(): string
  error(): string
  /** The first match in the output. */
  said(pattern: RegExp): Promise<string>
}

function tandem(...args: string[]): Tandem {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, error] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text))
  const exit = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  cleanups.push(() => {
    child.kill('SIGKILL')
    return exit
  })
  return {
    child,
    exit,
    out: () => out,
    error: () => error,
    async said(pattern) {
      await expect
        .poll(() => pattern.test(out) || child.exitCode !== null, { timeout: minute / 2 })
        .toBe(true)
      const [match] = pattern.exec(out) ?? []
      if (match === undefined) throw new Error(`it ended with ${child.exitCode} and said: ${out}${error}`)
      return match
    },
  }
}

async function folder(files: Record<string, Uint8Array | string>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tandem-'))
  cleanups.push(() => rm(dir, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content)
  return dir
}

const address = /http:\/\/[^\s/]+/

it.each([
  [['--help'], /serve DIR[\s\S]*collect/],
  [['serve', '--help'], /--port PORT[\s\S]*--collector URL/],
  [['collect', '--help'], /--dir DIR/],
  [['--version'], /^\d+\.\d+\.\d+\n$/],
])('tandem %j tells', async (args, text) => {
  const run = tandem(...args)
  expect([await run.exit, run.error()]).toEqual([0, ''])
  expect(run.out()).toMatch(text)
})

it.each([
  [[], /^tandem COMMAND/],
  [['sreve'], /^tandem: there is no command 'sreve' \(see tandem --help\)\n$/],
  [['serve'], /^tandem serve: serve needs DIR \(see tandem serve --help\)\n$/],
  [['serve', 'a', 'b'], /^tandem serve: serve does not take 'b'/],
  [['serve', 'a', '--prot', '1'], /^tandem serve: Unknown option '--prot' \(/],
  [['serve', 'a', '--port'], /^tandem serve: Option '--port <value>' argument missing/],
  [['serve', 'a', '--port', '80x'], /^tandem serve: --port must be a number from 0/],
  [['serve', 'a', '--host', ''], /^tandem serve: --host must be an address such as/],
  [['collect', '--host', ' '], /^tandem collect: --host must be an address such as/],
  [['serve', 'a', '--collector', 'ftp://x'], /^tandem serve: --collector must be a URL such as/],
  [['serve', 'a', '--port', '65536'], /^tandem serve: --port must be a number from 0/],
  [['serve', 'a', '--collector', 'here'], /^tandem serve: --collector must be a URL/],
  [['collect', 'x'], /^tandem collect: collect does not take 'x'/],
])('tandem %j is a mistake in the command line: 2', async (args, text) => {
  const run = tandem(...args)
  expect([await run.exit, run.out()]).toEqual([2, ''])
  expect(run.error()).toMatch(text)
})

it.each([
  [
    'a missing folder',
    undefined,
    /^tandem serve: there is no folder .*nowhere: give the folder that holds the models\n$/,
  ],
  [
    'an empty folder',
    {},
    /^tandem serve: there is no model in .*: put NAME\.onnx or NAME\/1\/model\.onnx into it\n$/,
  ],
  [
    'nothing but a file that is no model',
    { 'torn.onnx': 'hello' },
    /\ntandem serve: no model in .* could be loaded: .*torn\.onnx.*\n$/,
  ],
  ['an unknown device', { 'add.onnx': add().bytes }, /\ntandem serve: no model in .*"toaster".*\n$/],
])('tandem serve of %s fails in one line: 1', async (what, files, text) => {
  const dir = files === undefined ? join(tmpdir(), 'nowhere') : await folder(files)
  const run = tandem('serve', dir, '--port', '0', ...(what.includes('device') ? ['--device', 'toaster'] : []))
  expect([await run.exit, run.out()]).toEqual([1, ''])
  expect(run.error()).toMatch(text)
})

it.each(['serve', 'collect'])('tandem %s names the port that is in use: 1', async (command) => {
  const other = createServer().listen(0, '127.0.0.1')
  cleanups.push(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const dir = await folder({ 'add.onnx': add().bytes })
  const args = command === 'serve' ? [dir] : ['--dir', dir]
  const run = tandem(command, ...args, '--port', String(port))
  expect(await run.exit).toBe(1)
  expect(run.error()).toMatch(new RegExp(`^tandem ${command}: port ${port} on 127.0.0.1 is .*\\n$`))
})

it('serves what it can, names what it can’t, and ends with 0 on SIGTERM', async () => {
  const run = tandem('serve', await folder({ 'add.onnx': add().bytes, 'torn.onnx': 'hello' }), '--port', '0')
  expect(await run.said(/Serving .*\n/)).toMatch(/^Serving 1 model\(s\) at http:\/\/127\.0\.0\.1:\d+\/v2\n$/)
  expect(run.error()).toMatch(/torn version 1 is left out: .*torn/)
  const session = await remote(`${await run.said(address)}/v2/models/add`)
  const feeds = { a: tensor('float32', [1, 2], [1, 2]), b: tensor('float32', [3, 4], [1, 2]) }
  expect((await session.run(feeds)).outputs.sum).toEqual(tensor('float32', [4, 6], [1, 2]))
  run.child.kill('SIGTERM')
  expect(await run.exit).toBe(0)
})

it('lets a running call end on the first signal, and ends at once on the second', async () => {
  const dir = await folder({ 'slow.onnx': slow(400).bytes })
  const call = async (run: Tandem, ...signals: NodeJS.Signals[]): Promise<unknown> => {
    let isSent = false
    const watched: typeof fetch = (input, init) => {
      isSent = init?.method === 'POST'
      return fetch(input, init)
    }
    const url = await run.said(address)
    const session = await remote(`${url}/v2/models/slow`, { fetch: watched })
    const result = session.run({ x: tensor('float32', [2]) }).catch((error: unknown) => error)
    await expect.poll(() => isSent, { timeout: minute / 2 }).toBe(true)
    // A later request has been answered, so the earlier one is in.
    await (await fetch(`${url}/v2`)).text()
    for (const signal of signals) run.child.kill(signal)
    return result
  }
  const patient = tandem('serve', dir, '--port', '0')
  expect(await call(patient, 'SIGINT')).toMatchObject({ place: 'remote' })
  expect(await patient.exit).toBe(0)
  const forced = tandem('serve', dir, '--port', '0')
  expect(await call(forced, 'SIGINT', 'SIGTERM')).toMatchObject({ code: 'REMOTE' })
  expect(await forced.exit).toBe(130)
})

it('sends its latencies to the collector, which ends with 0 as well', async () => {
  const collecting = tandem('collect', '--port', '0', '--dir', await folder({}))
  const collector = await collecting.said(address)
  const dir = await folder({ 'add.onnx': add().bytes })
  const serving = tandem('serve', dir, '--port', '0', '--collector', collector)
  const session = await remote(`${await serving.said(address)}/v2/models/add`)
  const feeds = { a: tensor('float32', [1, 2], [1, 2]), b: tensor('float32', [3, 4], [1, 2]) }
  for (let call = 0; call < 3; call++) await session.run(feeds)
  serving.child.kill('SIGINT')
  expect(await serving.exit).toBe(0)
  const response = await fetch(`${collector}/v1/summary?name=serve&stage=total`)
  const { rows } = (await response.json()) as { rows: object[] }
  const row = { service: 'tandem-server', model: 'add', device: 'cpu', stage: 'total', count: 3 }
  expect(rows).toMatchObject([row])
  collecting.child.kill('SIGINT')
  expect(await collecting.exit).toBe(0)
})
