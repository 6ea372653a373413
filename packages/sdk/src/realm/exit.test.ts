import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'

/** Runs a script as a process of its own, against the built package. */
function script(body: string): Promise<{ code: number | null; signal: string | null; out: string }> {
  const prelude = `
    import { load, tensor } from '@tandem/sdk'
    import { slow } from '@tandem/sdk/testing'
    const x = { x: tensor('float32', [1]) }
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', prelude + body], {
    cwd: import.meta.dirname,
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk))
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, out })))
}

describe('a process with realms', { timeout: 60_000 }, () => {
  it('ends by itself when nothing is left to do, without dispose()', async () => {
    const ended = await script(`
      const session = await load(slow(2).bytes)
      await session.run(x)
      console.log('done')
    `)
    expect(ended).toEqual({ code: 0, signal: null, out: 'done\n' })
  })

  it('lives until its runs have ended', async () => {
    const ended = await script(`
      const session = await load(slow(50).bytes)
      for (const value of [1, 2, 3]) session.run(x).then(() => console.log(value))
    `)
    expect(ended).toEqual({ code: 0, signal: null, out: '1\n2\n3\n' })
  })

  it('exits with its own code in the middle of a run', async () => {
    const ended = await script(`
      const session = await load(slow(200).bytes)
      session.run(x)
      session.run(x)
      setTimeout(() => process.exit(3), 20)
    `)
    expect(ended).toEqual({ code: 3, signal: null, out: '' })
  })

  it('exits with its own code while a realm starts', async () => {
    const ended = await script(`
      load(slow(50).bytes)
      setImmediate(() => process.exit(4))
    `)
    expect(ended).toEqual({ code: 4, signal: null, out: '' })
  })

  it('exits when a request could not be sent, or went to a script that answers nothing', async () => {
    const silent = JSON.stringify(new URL('../../test/silent-worker.mjs', import.meta.url).href)
    const ended = await script(`
      const failed = await load(slow(2).bytes, { sessionOptions: { nothing: () => 1 } }).catch((error) => error)
      console.log(failed.code)
      load(slow(2).bytes, { workerUrl: ${silent} })
      setTimeout(() => process.exit(5), 20)
    `)
    expect(ended).toEqual({ code: 5, signal: null, out: 'INVALID_INPUT\n' })
  })

  it('exits with 1 and the error after an exception in the middle of a run', async () => {
    const { code, out } = await script(`
      const session = await load(slow(200).bytes)
      session.run(x)
      setTimeout(() => { throw new Error('of my own') }, 20)
    `)
    expect(code).toBe(1)
    expect(out).toContain('of my own')
  })

  it('survives loads that are given up at any moment, while they create too', async () => {
    const ended = await script(`
      const warm = await Promise.all([load(slow(2).bytes), load(slow(2).bytes)])
      await Promise.all(warm.map((session) => session.dispose()))
      const reason = new Error('enough')
      const loads = [0, 1, 2, 4, 8, 16].map((delayMs) => {
        const abort = new AbortController()
        setTimeout(() => abort.abort(reason), delayMs)
        return load(slow(20).bytes, { signal: abort.signal })
      })
      const settled = await Promise.allSettled(loads)
      console.log(settled.every((one) => one.status === 'fulfilled' || one.reason === reason))
      const session = await load(slow(2).bytes)
      console.log((await session.run(x)).outputs.y.data[0])
    `)
    expect(ended).toEqual({ code: 0, signal: null, out: 'true\n1\n' })
  })

  it('exits cleanly after dispose({ reclaim: true }), and with inline sessions', async () => {
    const ended = await script(`
      const session = await load(slow(2).bytes)
      const inline = await load(slow(2).bytes, { host: 'inline' })
      await Promise.all([session.run(x), inline.run(x)])
      await session.dispose({ reclaim: true })
      console.log('done')
    `)
    expect(ended).toEqual({ code: 0, signal: null, out: 'done\n' })
  })
})
