import { audio, image, type Preprocessor, preprocessor } from '@tandem/preprocess'
import { InferenceError } from '@tandem/sdk/error'
import sharp from 'sharp'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { orientations, stored } from '../test/stored.js'
import { picture } from './testing.js'

// Against the built package: Node 20's workers take no TypeScript. Threads start slowly on a machine that is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** Bytes, which are compared a thousand times faster than element by element. */
const bytesOf = ({ data }: { readonly data: Float32Array }): string =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')

const plan = image({ input: 'x', resize: { shortest: 64 }, crop: 48, mean: 0.5, std: 0.25 })
const noise = picture({ kind: 'noise', width: 96, height: 64, channels: 3 })
const large = picture({ kind: 'gradient', width: 2000, height: 1500, channels: 3 })
const encoded = (format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<Buffer> =>
  sharp(noise.data, { raw: { width: noise.width, height: noise.height, channels: 3 } })
    .toFormat(format)
    .toBuffer()

const open: Preprocessor[] = []
const made = (...options: Parameters<typeof preprocessor>): Preprocessor => {
  const pre = preprocessor(...options)
  open.push(pre)
  return pre
}
afterAll(async () => {
  await Promise.all(open.map((pre) => pre.dispose()))
})

const pool = made({ workers: 2 })
const here = made({ host: 'inline' })

describe('a run', () => {
  test('gives the same bytes in a worker, in this thread, from pixels, bytes, views and Blobs', async () => {
    const png = await encoded()
    const wanted = (await here.run(plan, noise)).feeds.x
    expect(wanted.shape).toEqual([1, 3, 48, 48])
    const copy = new Uint8Array(png)
    const larger = new Uint8Array(copy.length + 20)
    larger.set(copy, 10)
    for (const pre of [pool, here]) {
      for (const input of [noise, png, copy.buffer, larger.subarray(10, -10), new Blob([copy])]) {
        const { feeds, source } = await pre.run(plan, input)
        expect(bytesOf(feeds.x)).toBe(bytesOf(wanted))
        expect(source).toEqual({ width: 96, height: 64 })
      }
    }
  })

  test('says where the time went', async () => {
    const { timings } = await pool.run(plan, await encoded('jpeg'))
    expect(timings.decode).toBeGreaterThan(0)
    expect(timings.preprocess).toBeGreaterThan(timings.decode ?? 0)
    expect(timings.total).toBeGreaterThan(timings.preprocess)
    expect((await pool.run(plan, noise)).timings.decode).toBeNull()
  })

  test('turns all eight EXIF orientations upright, to the byte', async () => {
    const wanted = (await pool.run(plan, noise)).feeds.x
    for (const orientation of orientations) {
      const { data, ...raw } = stored(noise, orientation)
      for (const format of ['png', 'webp'] as const) {
        const file = await sharp(data, { raw })
          .withMetadata({ orientation })
          .toFormat(format, { lossless: true })
          .toBuffer()
        const { feeds, source } = await pool.run(plan, file)
        expect(source, `${format} ${orientation}`).toEqual({ width: 96, height: 64 })
        expect(bytesOf(feeds.x), `${format} ${orientation}`).toBe(bytesOf(wanted))
      }
    }
  })

  test('lays alpha on the background, and only where there is some', async () => {
    const rgba = picture({ kind: 'noise', width: 20, height: 20, channels: 4 })
    const png = await sharp(rgba.data, { raw: { width: 20, height: 20, channels: 4 } })
      .png()
      .toBuffer()
    const black = image({ input: 'x', background: 0, scale: 1, layout: 'NHWC' })
    const { data } = (await pool.run(black, png)).feeds.x
    for (let i = 0; i < 20 * 20; i++) {
      const alpha = rgba.data[i * 4 + 3] ?? 0
      expect(data[i * 3]).toBeCloseTo(((rgba.data[i * 4] ?? 0) * alpha) / 255, -0.31)
    }
  })

  test('decodes grey, grey with alpha, palette and 16-bit pictures', async () => {
    const grey = await sharp(noise.data, { raw: { width: 96, height: 64, channels: 3 } })
      .greyscale()
      .png()
      .toBuffer()
    const { data } = (await pool.run(image({ input: 'x', layout: 'NHWC' }), grey)).feeds.x
    expect(data[0]).toBe(data[1])
    for (const options of [{ palette: true }, { palette: true, colours: 2 }]) {
      const file = await sharp(noise.data, { raw: { width: 96, height: 64, channels: 3 } })
        .png(options)
        .toBuffer()
      await expect(pool.run(plan, file)).resolves.toMatchObject({ source: { width: 96 } })
    }
    const deep = await sharp(noise.data, { raw: { width: 96, height: 64, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer()
    expect(bytesOf((await pool.run(plan, deep)).feeds.x)).toBe(bytesOf((await pool.run(plan, noise)).feeds.x))
  })

  test('gives a recording at the rate of the model', async () => {
    const listening = audio({ input: 'samples', sampleRate: 16_000 })
    const stereo = { sampleRate: 48_000, channels: [new Float32Array(4800).fill(1), new Float32Array(4800)] }
    const { feeds, source } = await pool.run(listening, stereo)
    expect(feeds.samples.shape).toEqual([1, 1600])
    expect(feeds.samples.data[800]).toBeCloseTo(0.5, 5)
    expect(source).toEqual({ sampleRate: 48_000, channels: 2, frames: 4800, truncated: false })
    const kept = await pool.run(audio({ input: 'samples', sampleRate: 16_000, mono: false }), stereo)
    expect(kept.feeds.samples.shape).toEqual([2, 1600])
  })
})

describe("the caller's memory", () => {
  test('stays intact', async () => {
    const bytes = new Uint8Array(await encoded())
    const before = bytes.slice()
    await pool.run(plan, bytes)
    expect(bytes).toEqual(before)
  })

  test('stays intact when it is a Buffer, whose slice() is no copy', async () => {
    const file = Buffer.from(await encoded())
    const slab = Buffer.concat([file, file])
    const neighbour = slab.subarray(file.length)
    await pool.run(plan, slab.subarray(0, file.length))
    expect(neighbour.equals(file)).toBe(true)
  })

  test('is moved when asked, but never from under its neighbours', async () => {
    const bytes = new Uint8Array(await encoded())
    const moved = bytes.slice()
    await pool.run(plan, moved, { transfer: true })
    expect(moved.length).toBe(0)
    const larger = new Uint8Array(bytes.length + 10)
    larger.set(bytes)
    await pool.run(plan, larger.subarray(0, bytes.length), { transfer: true })
    expect(larger.length).toBe(bytes.length + 10)
    const shared = new Uint8Array(new SharedArrayBuffer(noise.data.length))
    shared.set(noise.data)
    await expect(pool.run(plan, { ...noise, data: shared })).resolves.toMatchObject({ source: { width: 96 } })
  })
})

const detached = (): ArrayBuffer => {
  const buffer = new ArrayBuffer(8)
  structuredClone(buffer, { transfer: [buffer] })
  return buffer
}

describe('bad input', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'must be a Blob'],
    ['a path', '/tmp/cat.jpg', 'must be a Blob'],
    ['an empty file', new Uint8Array(0), 'empty'],
    ['a web page', new TextEncoder().encode('<!DOCTYPE html>'), 'a web page'],
    ['pixels of the wrong number', { width: 3, height: 3, data: new Uint8Array(5) }, 'pixels'],
    ['pixels without a size', { width: 0, height: 3, data: new Uint8Array(0) }, 'pixels.width'],
    ['a buffer that was moved away', detached(), 'ArrayBuffer'],
    ['pixels that are floats', { width: 1, height: 1, data: new Float32Array(3) }, 'pixels.data'],
    ['pixels that are nothing', { width: 1, height: 1, data: null }, 'pixels.data'],
    ['pixels in a list', { width: 1, height: 1, data: [1, 2, 3] }, 'pixels.data'],
  ])('%s', async (_, input, named) => {
    for (const pre of [pool, here]) {
      const failure = pre.run(plan, input as Uint8Array)
      await expect(failure).rejects.toMatchObject({ name: 'InferenceError', code: 'INVALID_INPUT' })
      await expect(failure).rejects.toThrow(named)
    }
  })

  test('a picture that is cut off names its format, its start and the decoder’s reason, and keeps the cause', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const file = await encoded(format)
      const error: unknown = await pool
        .run(plan, file.subarray(0, file.length / 2))
        .catch((reason: unknown) => reason)
      if (!InferenceError.is(error, 'INVALID_INPUT')) throw error
      expect(error).toBeInstanceOf(InferenceError)
      expect(error.message).toMatch(/damaged or cut off: \d+ bytes that start with/)
      expect(error.data).toEqual({ path: 'input' })
      expect(error.cause).toBeInstanceOf(Error)
    }
  })

  test('a bomb is refused by its header', async () => {
    const file = new Uint8Array(await encoded())
    new DataView(file.buffer).setUint32(16, 50_000)
    new DataView(file.buffer).setUint32(20, 50_000)
    await expect(pool.run(plan, file)).rejects.toThrow(/50000 × 50000 pixels.*maxPixels/)
    const small = image({ input: 'x', maxPixels: 100 })
    await expect(pool.run(small, noise)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  test('a plan that is none, and an op that is none', async () => {
    await expect(pool.run({ ...plan, kind: 'video' } as never, noise)).rejects.toThrow('image() or audio()')
    const strange = { ...plan, steps: [{ op: 'sharpen' }] } as never
    await expect(pool.run(strange, noise)).rejects.toThrow('"sharpen"; there are orient, composite')
  })

  test.each([[[]], [1], [null], [[[0, 1]]], [[null]], [[new Float32Array(2), new Float32Array(3)]]])(
    'channels that are none: %j',
    async (channels) => {
      const signal = { sampleRate: 8000, channels } as never
      await expect(pool.run(audio({ input: 'x', sampleRate: 8000 }), signal)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { path: 'input.channels' },
      })
    },
  )

  test('a WAV at a rate that no recording has', async () => {
    const file = new DataView(new ArrayBuffer(48))
    const words = ['RIFF', 40, 'WAVE', 'fmt ', 16, 0x0001_0001, 1, 2, 0x0010_0002, 'data', 4, 0]
    for (const [i, word] of words.entries()) {
      for (let byte = 0; byte < 4; byte++) {
        const value = typeof word === 'number' ? (word >>> (8 * byte)) & 255 : word.charCodeAt(byte)
        file.setUint8(4 * i + byte, value)
      }
    }
    for (const sampleRate of [1, 999, 0xffff_ffff]) {
      file.setUint32(24, sampleRate, true)
      await expect(pool.run(audio({ input: 'x', sampleRate: 8000 }), file.buffer)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { path: 'input.sampleRate' },
      })
    }
  })

  test('a strip that its shorter side would blow up, unless it is cropped', async () => {
    const strip = { width: 1, height: 10_000, data: new Uint8Array(30_000) }
    const resize = { shortest: 256 }
    await expect(pool.run(image({ input: 'x', resize }), strip)).rejects.toThrow('256 × 2560000')
    const { feeds } = await pool.run(image({ input: 'x', resize, crop: 224 }), strip)
    expect(feeds.x.shape).toEqual([1, 3, 224, 224])
  })

  test('a result that fits into no memory', async () => {
    const run = pool.run(image({ input: 'x', letterbox: 65_535 }), noise)
    await expect(run).rejects.toMatchObject({ name: 'InferenceError', code: 'OUT_OF_MEMORY' })
  })
})

describe('the pool', () => {
  test('answers many runs at once, each with its own', async () => {
    const pictures = Array.from({ length: 40 }, (_, seed) =>
      picture({ kind: 'noise', width: 70, height: 50, channels: 3, seed }),
    )
    const answers = await Promise.all(pictures.map((pixels) => pool.run(plan, pixels)))
    for (const [i, pixels] of pictures.entries()) {
      const answer = answers[i]?.feeds.x
      expect(answer && bytesOf(answer)).toBe(bytesOf((await here.run(plan, pixels)).feeds.x))
    }
  })

  test.each(['worker', 'inline'] as const)('an abort rejects at once with its reason: %s', async (host) => {
    const pre = made({ host, workers: 1 })
    const before = new AbortController()
    before.abort('before')
    await expect(pre.run(plan, noise, { signal: before.signal })).rejects.toBe('before')

    const running = new AbortController()
    const waiting = new AbortController()
    const outcome: string[] = []
    const first = pre.run(plan, large, { signal: running.signal }).catch((reason) => outcome.push(reason))
    const second = pre.run(plan, noise, { signal: waiting.signal }).catch((reason) => outcome.push(reason))
    const third = pre.run(plan, noise).then(() => outcome.push('third'))
    waiting.abort('waiting')
    running.abort('running')
    await Promise.all([first, second, third])
    expect(outcome.slice(0, 2).sort()).toEqual(['running', 'waiting'])
    expect(outcome[2]).toBe('third')
  })

  test('is bounded', async () => {
    const pre = made({ workers: 1, maxQueue: 2 })
    const runs = await Promise.allSettled(Array.from({ length: 5 }, () => pre.run(plan, noise)))
    expect(runs.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ])
    expect(runs[4]).toMatchObject({ reason: { code: 'QUEUE_FULL', data: { workers: 1, maxQueue: 2 } } })
  })

  test.each([
    ['exit', 'exited with code 3'],
    ['throw', 'thrown in the worker'],
  ])('a worker that dies (%s) fails its own job, and the others go on', async (how, named) => {
    const pre = made({ workers: 1, workerUrl: new URL('../test/dying.worker.mjs', import.meta.url) })
    const dying = pre.run(image({ input: how }), noise)
    const waiting = pre.run(plan, noise)
    await expect(dying).rejects.toMatchObject({ name: 'InferenceError', code: 'REALM_CRASHED' })
    await expect(dying).rejects.toThrow(named)
    expect(bytesOf((await waiting).feeds.x)).toBe(bytesOf((await here.run(plan, noise)).feeds.x))
    await expect(pre.run(plan, noise)).resolves.toMatchObject({ source: { width: 96 } })
  })

  test('a worker that cannot even be made fails the run, and each run after it', async () => {
    const pre = made({ workerUrl: 'worker.js' })
    const runs = [pre.run(plan, noise), pre.run(plan, noise)]
    for (const run of runs) await expect(run).rejects.toMatchObject({ code: 'REALM_CRASHED' })
    await expect(pre.run(plan, noise)).rejects.toThrow('gone')
  })

  test('a script that answers nothing fails the run in the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const pre = made({ workerUrl: new URL('../test/silent.worker.mjs', import.meta.url) })
      const run = pre.run(plan, noise)
      const failed = expect(run).rejects.toMatchObject({
        code: 'REALM_CRASHED',
        message: expect.stringContaining('silent.worker.mjs'),
      })
      await vi.runAllTimersAsync()
      await failed
    } finally {
      vi.useRealTimers()
    }
  })

  test('a worker that is not there fails the run, not the program', async () => {
    const pre = made({ workerUrl: new URL('../test/missing.mjs', import.meta.url) })
    await expect(pre.run(plan, noise)).rejects.toMatchObject({ code: 'REALM_CRASHED' })
  })

  test.each(['worker', 'inline'] as const)(
    'dispose lets what runs end and rejects what waits: %s',
    async (host) => {
      const pre = preprocessor({ host, workers: 1 })
      const running = pre.run(plan, large)
      const waiting = pre.run(plan, noise)
      const disposed = pre.dispose()
      await expect(waiting).rejects.toMatchObject({ code: 'DISPOSED' })
      await expect(running).resolves.toMatchObject({ source: { width: 2000 } })
      await disposed
      await pre.dispose()
      await expect(pre.run(plan, noise)).rejects.toMatchObject({ code: 'DISPOSED' })
    },
  )

  test('refuses options that are none', () => {
    expect(() => preprocessor({ workers: 0 })).toThrow('preprocessor().workers')
    expect(() => preprocessor({ host: 'process' as 'inline' })).toThrow('worker, inline')
    expect(() => preprocessor({ threads: 2 } as never)).toThrow('threads')
  })
})
