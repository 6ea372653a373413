import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { collector } from './collector.node.js'
import { sampleBatch } from './testing.js'

// The built collector in a process of its own, since only a process can be killed.
const program = `
import { collect } from ${JSON.stringify(new URL('../dist/index.node.js', import.meta.url).href)}
const { url } = await collect({ dir: process.argv[1], port: 0, limits: { segmentBytes: 20_000 } })
process.stdout.write(url)
`

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tandem-kill-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

it('has every batch that it acknowledged before kill -9, three times over', { timeout: 60_000 }, async () => {
  const acknowledged: { readonly instance: string; readonly seq: number }[] = []
  for (let life = 0; life < 3; life++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, dir])
    const [url] = await once(child.stdout, 'data')
    const before = acknowledged.length
    const posters = Array.from({ length: 8 }, async (_, poster) => {
      const instance = (life * 8 + poster).toString(16).padStart(16, '0')
      for (let seq = 0; child.exitCode === null && child.signalCode === null; seq++) {
        const body = JSON.stringify(sampleBatch({ instance, seq, times: { total: [seq + 1] } }))
        const response = await fetch(`${url}/v1/batch`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'text/plain' },
        })
        if (response.ok) acknowledged.push({ instance, seq })
        if (acknowledged.length - before === 100) child.kill('SIGKILL')
      }
    })
    // The posters end with the connection that died under them.
    await Promise.allSettled(posters)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')
  }

  const { fetch: ask, close } = await collector({ dir })
  const health = async () => (await ask(new Request('http://x/healthz'))).json()
  const before = await health()
  expect(before.replayed.corrupt).toBe(0)
  expect(before.journal.segments).toBeGreaterThan(3)
  for (const one of acknowledged) {
    const body = JSON.stringify(sampleBatch(one))
    await ask(
      new Request('http://x/v1/batch', { method: 'POST', body, headers: { 'content-type': 'text/plain' } }),
    )
  }
  // Each was there already: all were answered as repeated, none was new.
  expect(await health()).toMatchObject({ batches: before.batches, repeated: acknowledged.length })
  await close()
})
