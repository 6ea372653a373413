import { type Device, errorCodes, load, tensor } from '@tandem/sdk'
import { add, type CaseOptions, identity, memorySession, sessionCases, slow } from '@tandem/sdk/testing'

import workerUrl from './closing-worker.js?worker&url'

/** What the page offers to the tests: each runs here, in the browser, and answers with plain data. */
export interface SessionPage {
  /** Runs the conformance cases on a device; resolves with the failures. */
  cases(
    device: Device | 'memory' | 'inline',
    options: CaseOptions,
  ): Promise<{ passed: number; failures: string[] }>
  /** 100 runs at once, with the page's heartbeat watched. */
  crowd(device: Device): Promise<{ right: number; longestGapMs: number; totalMs: number }>
  /** The longest time that a run of about 250 ms holds up the page: raw onnxruntime-web, and in a realm. */
  gaps(): Promise<{ rawMs: number; realmMs: number }>
  /** What becomes of a running, a waiting and a later call when their worker closes itself. */
  death(): Promise<readonly string[]>
  /** Keeps a session on WebGPU busy until something happens to it; resolves with the codes of all runs, and of a later one. */
  untilLost(): Promise<readonly string[]>
  /** Loads, and says what came of it: a URL, a float16 model, or by default a small one. */
  outcome(options: Parameters<typeof load>[1], model?: string | 'float16'): Promise<Outcome>
}

export interface Outcome {
  readonly device?: string
  readonly why?: string
  readonly code?: string
  readonly message?: string
  readonly attempts?: readonly { device: string; outcome: string; reason?: string | undefined }[]
  readonly threads?: { requested: number; actual: number; reason: string } | undefined
}

declare global {
  interface Window {
    sessions: SessionPage
  }
}

window.sessions = {
  async cases(device, options) {
    const failures: string[] = []
    let passed = 0
    for (const { name, run } of sessionCases(options)) {
      try {
        await run(async (model, open) => {
          if (device === 'memory') return memorySession(model, open)
          const { name, bytes } = model
          if (device === 'inline') return load(bytes, { device: 'wasm', host: 'inline', name, ...open })
          return load(bytes, { device, name, ...open })
        })
        passed++
      } catch (error) {
        failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    return { passed, failures }
  },

  async crowd(device) {
    await using session = await load(add().bytes, { device })
    const feeds = Array.from({ length: 100 }, (_, index) => ({
      a: tensor('float32', [index, 1], [1, 2]),
      b: tensor('float32', [1, index], [1, 2]),
    }))
    const heart = heartbeat()
    const results = await Promise.all(feeds.map((one) => session.run(one)))
    const { longestGapMs, totalMs } = heart.stop()
    const right = results.filter(({ outputs }, index) => outputs.sum?.data[0] === index + 1).length
    return { right, longestGapMs, totalMs }
  },

  async gaps() {
    const { InferenceSession, Tensor } = await import('onnxruntime-web/wasm')
    const x = new Float32Array([1])
    const run = async (session: Awaited<ReturnType<typeof InferenceSession.create>>): Promise<number> => {
      const heart = heartbeat()
      await session.run({ x: new Tensor('float32', x, [1]) })
      return heart.stop().longestGapMs
    }
    const probe = await InferenceSession.create(slow(10).bytes)
    await run(probe)
    const model = slow(Math.ceil((10 * 250) / (await run(probe)))).bytes
    const raw = await InferenceSession.create(model)
    await using session = await load(model, { device: 'wasm' })
    await Promise.all([run(raw), session.run({ x: tensor('float32', x) })])
    const rawMs = await run(raw)
    const heart = heartbeat()
    await session.run({ x: tensor('float32', x) })
    return { rawMs, realmMs: heart.stop().longestGapMs }
  },

  async death() {
    const session = await load(slow(1).bytes, { device: 'wasm', workerUrl })
    const feeds = { x: tensor('float32', [1]) }
    const code = (run: Promise<unknown>): Promise<string> => run.then(() => 'ok', codeOf)
    const codes = await Promise.all([code(session.run(feeds)), code(session.run(feeds))])
    const later = await code(session.run(feeds))
    await session.dispose()
    await using next = await load(slow(1).bytes, { device: 'wasm' })
    return [...codes, later, await code(next.run(feeds))]
  },

  async untilLost() {
    const session = await load(slow(1).bytes, { device: 'webgpu' })
    const run = (): Promise<string> => session.run({ x: tensor('float32', [1]) }).then(() => 'ok', codeOf)
    await run()
    document.title = 'ready to be lost'
    const codes: string[] = []
    while (codes.at(-1) === undefined || codes.at(-1) === 'ok')
      codes.push(...(await Promise.all([run(), run()])))
    codes.push(await run())
    await session.dispose()
    return [...new Set(codes.filter((code) => code !== 'ok'))]
  },

  async outcome(options, model) {
    try {
      const source = model === 'float16' ? identity('float16').bytes : (model ?? slow(1).bytes)
      await using session = await load(source, options)
      const { device, why, attempts, threads } = session.info
      return { device, why, attempts, threads }
    } catch (error) {
      const { code, message, data } = error as { code: string; message: string; data?: { attempts?: [] } }
      if (!errorCodes.some((known) => known === code)) throw error
      return { code, message, attempts: data?.attempts ?? [] }
    }
  },
}

function codeOf(error: { readonly code: string }): string {
  return error.code
}

/** Watches how long the page's own thread is ever held up. */
function heartbeat(): { stop(): { longestGapMs: number; totalMs: number } } {
  const startedAt = performance.now()
  let last = startedAt
  let longestGapMs = 0
  const beat = (): void => {
    const now = performance.now()
    longestGapMs = Math.max(longestGapMs, now - last)
    last = now
  }
  const timer = setInterval(beat, 4)
  return {
    stop() {
      clearInterval(timer)
      beat()
      return { longestGapMs, totalMs: last - startedAt }
    },
  }
}
