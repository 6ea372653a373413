import { load, tensor } from '@tandem/sdk'
import { add, slow } from '@tandem/sdk/testing'
import ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'

const x = { x: tensor('float32', [1]) }

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
