import { runInNewContext } from 'node:vm'
import { load, tensor } from '@tandem/sdk'
import { add, encodeModel, slow } from '@tandem/sdk/testing'
import fc from 'fast-check'
import ort from 'onnxruntime-node'
import { describe, expect, it, vi } from 'vitest'

const x = { x: tensor('float32', [1]) }

const anyLength = { dtype: 'float32', shape: ['n'] } as const
const vector = encodeModel({
  inputs: [{ name: 'x', ...anyLength }],
  outputs: [{ name: 'y', ...anyLength }],
  nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
})
const sum = encodeModel({
  inputs: [
    { name: 'a', ...anyLength },
    { name: 'b', ...anyLength },
  ],
  outputs: [{ name: 'y', ...anyLength }],
  nodes: [{ op: 'Add', inputs: ['a', 'b'], outputs: ['y'] }],
})

// Real threads and real models: generous limits, for a busy machine.
describe('a realm in Node', { timeout: 60_000 }, () => {
  it.each([
    ['exiting', 'exit code 7'],
    ['throwing', 'out of order'],
  ])('that dies by %s rejects what ran, what waited and what comes', async (how, reason) => {
    const workerUrl = new URL(`../../test/${how}-worker.mjs`, import.meta.url)
    const session = await load(slow(4).bytes, { workerUrl, name: 'slow' })
    const settled = await Promise.allSettled([session.run(x), session.run(x)])
    for (const one of settled) {
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { code: 'REALM_CRASHED', message: expect.stringContaining(reason) },
      })
    }
    await expect(session.run(x)).rejects.toMatchObject({
      code: 'REALM_CRASHED',
      message: expect.stringContaining('load'),
    })
    await session.dispose()
    // Its place is not taken by a dead one.
    const next = await load(slow(4).bytes)
    expect((await next.run(x)).outputs.y?.data[0]).toBe(1)
    await next.dispose()
  })

  it('says so when its script answers nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const workerUrl = new URL('../../test/silent-worker.mjs', import.meta.url)
      const failed = expect(load(add().bytes, { workerUrl })).rejects.toMatchObject({
        code: 'DEVICE_UNAVAILABLE',
        message: expect.stringContaining('no answer within 30 s'),
      })
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
      vi.runAllTimers()
      await failed
    } finally {
      vi.useRealTimers()
    }
  })

  it('says so when no worker can be made of its script', async () => {
    for (const workerUrl of ['./worker.mjs', 'http://127.0.0.1/worker.mjs']) {
      await expect(load(add().bytes, { workerUrl })).rejects.toMatchObject({
        code: 'DEVICE_UNAVAILABLE',
        message: expect.stringContaining('workerUrl'),
      })
    }
  })

  it('has taken the feeds when run() returns, copied or moved', async () => {
    await using session = await load(vector)
    const data = new Float32Array(8192).fill(1)
    const shape = [8192]
    const runs = [1, 2, 3].map(() => session.run({ x: { dtype: 'float32', shape, data } }))
    data.fill(9)
    shape[0] = 1
    for (const { outputs } of await Promise.all(runs)) {
      expect(outputs.y?.data.every((value) => value === 1)).toBe(true)
    }
    const moved = session.run({ x: tensor('float32', data) }, { transfer: true })
    expect(data.length).toBe(0)
    const again = session.run({ x: { dtype: 'float32', shape: [8192], data } }, { transfer: true })
    await expect(again).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('moved'),
    })
    expect((await moved).outputs.y?.data[0]).toBe(9)
  })

  it('moves a buffer that two inputs share', async () => {
    await using session = await load(sum)
    const data = new Float32Array(8192).fill(2)
    const both = tensor('float32', data)
    const { outputs } = await session.run({ a: both, b: both }, { transfer: true })
    expect(outputs.y?.data[0]).toBe(4)
    expect(data.length).toBe(0)
  })

  it.each(['worker', 'inline'] as const)('takes arrays of another context: %s', async (host) => {
    await using session = await load(vector, { host })
    for (const length of [8, 8192]) {
      const data: Float32Array = runInNewContext(`new Float32Array(${length}).fill(7)`)
      const { outputs } = await session.run({ x: { dtype: 'float32', shape: [length], data } })
      expect(outputs.y?.data[length - 1]).toBe(7)
    }
  })

  it('settles each of many calls once, with its own outputs, whatever is given up on the way', async () => {
    const call = fc.record({
      value: fc.integer({ min: -1000, max: 1000 }),
      abort: fc.constantFrom('before', 'at once', 'soon', 'never', 'never'),
      deadlineMs: fc.constantFrom(undefined, undefined, 0, 1, Number.POSITIVE_INFINITY, Number.NaN),
      priority: fc.constantFrom(undefined, -1, 0, 1, Number.POSITIVE_INFINITY),
      transfer: fc.boolean(),
      length: fc.constantFrom(1, 5000),
    })
    const script = fc.record({ calls: fc.array(call, { maxLength: 12 }), disposeAfter: fc.nat({ max: 14 }) })
    await fc.assert(
      fc.asyncProperty(script, async ({ calls, disposeAfter }) => {
        const session = await load(vector, { maxQueue: 8 })
        const settled = calls.map(async ({ value, abort, length, ...options }, index) => {
          if (index === disposeAfter) void session.dispose()
          const giveUp = new AbortController()
          if (abort === 'before') giveUp.abort('mine')
          const data = new Float32Array(length).fill(value)
          const running = session.run(
            { x: { dtype: 'float32', shape: [length], data } },
            { ...options, signal: giveUp.signal },
          )
          if (abort === 'at once') giveUp.abort('mine')
          if (abort === 'soon') setImmediate(() => giveUp.abort('mine'))
          if (!options.transfer) data.fill(Number.NaN)
          try {
            const { outputs } = await running
            return outputs.y?.data.length === length && outputs.y.data.every((got) => got === value)
          } catch (error) {
            if (error === 'mine') return abort !== 'never'
            const codes = ['DEADLINE', 'INVALID_INPUT', 'DISPOSED', 'QUEUE_FULL']
            return codes.includes((error as { code: string }).code)
          }
        })
        expect(await Promise.all(settled)).toEqual(calls.map(() => true))
        await session.dispose()
      }),
      { numRuns: 60 },
    )
  })

  it('says so when its script is missing', async () => {
    const workerUrl = new URL('./nowhere.mjs', import.meta.url)
    await expect(load(add().bytes, { workerUrl })).rejects.toMatchObject({
      code: 'DEVICE_UNAVAILABLE',
      message: expect.stringContaining('workerUrl'),
    })
  })

  it('holds the event loop up for at most a fifth of what raw onnxruntime does', async () => {
    const probe = await load(slow(32).bytes)
    await probe.run(x)
    const { timings } = await probe.run(x)
    await probe.dispose()
    const bytes = slow(Math.ceil((32 * 250) / (timings.inference ?? 1))).bytes
    const raw = await ort.InferenceSession.create(bytes)
    const session = await load(bytes)
    const feeds = { x: new ort.Tensor('float32', [1], [1]) }
    await Promise.all([raw.run(feeds), session.run(x)])
    const rawMs = await longestGap(() => raw.run(feeds))
    const realmMs = await longestGap(() => session.run(x))
    expect(rawMs).toBeGreaterThan(50)
    expect(realmMs).toBeLessThan(rawMs / 5)
    await Promise.all([raw.release(), session.dispose()])
  })

  it('gives each model its own thread, so that models run side by side', async () => {
    const [first, second] = await Promise.all([load(slow(200).bytes), load(add().bytes)])
    const order: string[] = []
    const long = first.run(x).then(() => order.push('long'))
    await Promise.resolve()
    const pair = { a: tensor('float32', [1, 2], [1, 2]), b: tensor('float32', [3, 4], [1, 2]) }
    await second.run(pair).then(() => order.push('short'))
    await long
    expect(order).toEqual(['short', 'long'])
    await Promise.all([first.dispose(), second.dispose()])
  })
})

/**
 * The longest gap (ms) between the beats of a timer: the least of three rounds, since what the work itself causes is in each, and what
 * the machine does besides is not.
 */
async function longestGap(work: () => Promise<unknown>): Promise<number> {
  const gaps: number[] = []
  for (let round = 0; round < 3; round++) {
    let longest = 0
    let last = performance.now()
    const beat = (): void => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
    const timer = setInterval(beat, 2)
    await work()
    beat()
    clearInterval(timer)
    gaps.push(longest)
  }
  return Math.min(...gaps)
}
