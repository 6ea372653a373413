import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as browser from './index.browser.js'
import * as node from './index.node.js'

const run = promisify(execFile)

/** Runs a module in a Node process of its own, against the built package under its public name. */
async function inNode(source: string, env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: import.meta.dirname, env: { PATH: process.env.PATH ?? '', ...env } }
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], options)
  return stdout
}

test('both entries give the same names', () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort())
})

test('importing either, where there is no page, does nothing', () => {
  expect(browser.telemetry({ service: 'ssr', log: 'none' }).environment).toBe('production')
})

test('a process that recorded something ends by itself, at once', async () => {
  const source = `
    import { telemetry } from '@tandem/telemetry'
    const t = telemetry({ service: 'test', endpoint: 'http://127.0.0.1:9/v1/batch', flushIntervalMs: 600_000, log: 'none' })
    t.trace('work', () => {})
    console.log(JSON.stringify(t.ledger()))`
  expect(JSON.parse(await inNode(source))).toEqual({ recorded: 1, delivered: 0, pending: 1, dropped: {} })
})

test('a process that awaits shutdown delivers first; the environment is NODE_ENV’s', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk))
    request.on('end', () => response.end('{"accepted":1,"rejected":0}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const source = `
    import { telemetry } from '@tandem/telemetry'
    const t = telemetry({ service: 'test', endpoint: 'http://127.0.0.1:${port}/v1/batch' })
    await t.trace('work', async () => {}, { model: 'm' })
    await t.shutdown()
    console.log(JSON.stringify(t.ledger()))`
  const stdout = await inNode(source, { NODE_ENV: 'staging', NODE_OPTIONS: '' })
  server.close()
  const [batch] = bodies.map((body) => JSON.parse(body))
  expect(batch).toMatchObject({ service: 'test', environment: 'staging', seq: 0 })
  const ledger = JSON.parse(stdout)
  expect(ledger.delivered + (ledger.dropped.sampled ?? 0)).toBe(1)
})

test('a process that awaits flush while the collector is away goes on after the deadline', async () => {
  const source = `
    import { telemetry } from '@tandem/telemetry'
    const t = telemetry({ service: 'test', endpoint: 'http://127.0.0.1:9/v1/batch', environment: 'development', log: 'none' })
    t.trace('work', () => {})
    await t.flush({ deadlineMs: 50 })
    console.log(JSON.stringify(t.ledger()))`
  expect(JSON.parse(await inNode(source))).toMatchObject({ recorded: 1, pending: 1 })
})
