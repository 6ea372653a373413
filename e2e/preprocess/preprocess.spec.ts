import { audio, type ImagePlan, image, type Preprocessor, preprocessor } from '@tandem/preprocess'
import { type Picture, picture, sha256, tone } from '@tandem/preprocess/testing'
import type { Browser, Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orientations, stored } from '../../packages/preprocess/test/stored.js'
import { launch, openPage } from '../harness/chromium.js'
import { buildAndServe, type ServedPage } from '../harness/pages.js'
import type { Answer, Given, How } from './page.js'

const noise: Picture = { kind: 'noise', width: 150, height: 100, channels: 3, seed: 4 }
const smooth: Picture = { kind: 'gradient', width: 150, height: 100, channels: 3 }

const imagenet = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] } as const
const plans = {
  classifier: image({ input: 'x', resize: { shortest: 72 }, crop: 64, ...imagenet }),
  detector: image({ input: 'x', letterbox: { width: 64, height: 64, fill: 114 }, layout: 'NHWC' }),
  lanczos: image({ input: 'x', resize: { width: 61, height: 83, filter: 'lanczos' }, channels: 'BGR' }),
  bicubic: image({ input: 'x', resize: { width: 200, height: 210, filter: 'bicubic' }, dtype: 'float16' }),
  bytes: image({ input: 'x', dtype: 'uint8', layout: 'NHWC' }),
}
type Plan = ImagePlan<'x'>

type Format = 'png' | 'jpeg' | 'webp' | 'gif'
const encode = async (
  made: Picture,
  format: Format,
  change: (file: Sharp) => Sharp = (file) => file,
): Promise<Buffer> => {
  const { width, height, data } = picture(made)
  const raw = { width, height, channels: made.channels }
  return change(sharp(data, { raw }).toFormat(format, { lossless: true })).toBuffer()
}

describe('preprocessing in Chromium and Node', () => {
  let served: ServedPage
  let browser: Browser
  let page: Page
  let problems: string[]
  let node: Preprocessor

  beforeAll(async () => {
    node = preprocessor()
    served = await buildAndServe(new URL('./', import.meta.url))
    browser = await launch()
    ;({ page, problems } = await openPage(browser, served.url))
  })
  afterAll(async () => {
    await browser?.close()
    await served?.[Symbol.asyncDispose]()
    await node?.dispose()
  })

  const there = (plan: Parameters<Page['evaluate']>[1], given: Given, how: How = 'worker'): Promise<Answer> =>
    page.evaluate(([plan, given, how]) => window.preprocessing.run(plan as never, given, how), [
      plan,
      given,
      how,
    ] as const)

  it('gives Pillow’s bytes in the page too', async () => {
    const { passed, failures } = await page.evaluate(() => window.preprocessing.conformance())
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(100)
  })

  it.each(Object.entries(plans))('gives the same tensor of the same pixels: %s', async (_, plan) => {
    for (const made of [
      noise,
      smooth,
      { ...noise, channels: 4 },
      { ...noise, channels: 1 },
    ] satisfies Picture[]) {
      const { feeds, source } = await node.run(plan, picture(made))
      const wanted = { sha256: await sha256(feeds.x.data), shape: feeds.x.shape, source }
      expect(await there(plan, { picture: made })).toMatchObject(wanted)
      expect(await there(plan, { picture: made }, 'inline')).toMatchObject(wanted)
    }
  })

  /** That Chromium makes what Node makes of a file, in a worker and without an ImageDecoder. */
  const expectSame = async (plan: Plan, file: Buffer, what: string): Promise<void> => {
    const { feeds, source } = await node.run(plan, file)
    const wanted = { sha256: await sha256(feeds.x.data), source }
    for (const how of ['worker', 'canvas'] as const) {
      expect(await there(plan, { file: file.toString('base64') }, how), `${what}, ${how}`).toMatchObject(
        wanted,
      )
    }
  }

  it.each(['png', 'webp', 'gif', 'jpeg'] as const)('gives the same tensor of the same %s', async (format) => {
    for (const made of [noise, smooth]) {
      for (const plan of Object.values(plans)) await expectSame(plan, await encode(made, format), made.kind)
    }
  })

  it('gives the same tensor from a Blob and from an ImageBitmap', async () => {
    const file = await encode(noise, 'png')
    const { feeds } = await node.run(plans.classifier, file)
    const wanted = { sha256: await sha256(feeds.x.data) }
    for (const as of ['blob', 'bitmap'] as const) {
      expect(await there(plans.classifier, { file: file.toString('base64'), as })).toMatchObject(wanted)
    }
  })

  it('gives the same tensor whatever the file stores', async () => {
    const changes: Record<string, (file: Sharp) => Sharp> = {
      'chroma at full resolution': (it) => it.jpeg({ chromaSubsampling: '4:4:4' }),
      'chroma at half resolution': (it) => it.jpeg({ chromaSubsampling: '4:2:0' }),
      'a progressive JPEG': (it) => it.jpeg({ progressive: true }),
      'a grey JPEG': (it) => it.greyscale().jpeg(),
      'a lossy WebP': (it) => it.webp({ quality: 80 }),
      'an interlaced PNG': (it) => it.png({ progressive: true }),
      'a palette': (it) => it.png({ palette: true, colours: 16 }),
      'a grey PNG': (it) => it.greyscale().png(),
      '16 bits': (it) => it.toColourspace('rgb16').png(),
    }
    for (const [what, change] of Object.entries(changes)) {
      const { width, height, data } = picture(smooth)
      const file = await change(sharp(data, { raw: { width, height, channels: 3 } })).toBuffer()
      await expectSame(plans.bytes, file, what)
    }
  })

  it.each(['png', 'webp', 'jpeg'] as const)(
    'turns all eight orientations of a %s upright',
    async (format) => {
      const upright = picture(smooth)
      for (const orientation of orientations) {
        const { data, ...raw } = stored(upright, orientation)
        const file = await sharp(data, { raw })
          .withMetadata({ orientation })
          .toFormat(format, { lossless: true })
          .toBuffer()
        await expectSame(plans.bytes, file, `orientation ${orientation}`)
        const { feeds, source } = await node.run(plans.bytes, file)
        expect(source).toEqual({ width: upright.width, height: upright.height })
        if (format !== 'jpeg')
          expect(Buffer.compare(feeds.x.data, Buffer.from(upright.data)), `orientation ${orientation}`).toBe(
            0,
          )
      }
    },
  )

  /** The most levels by which Chromium's pixels differ from Node's. */
  const levels = async (plan: ImagePlan<'x', 'uint8'>, file: Buffer, how: How): Promise<number> => {
    const { data } = (await node.run(plan, file)).feeds.x
    const { bytes = '' } = await there(plan, { file: file.toString('base64') }, how)
    const got = Buffer.from(bytes, 'base64')
    return data.reduce((most, value, i) => Math.max(most, Math.abs(value - (got[i] ?? 999))), 0)
  }

  it('lays nearly transparent pixels on the background alike, a canvas to the next level', async () => {
    for (const format of ['png', 'webp'] as const) {
      const file = await encode({ ...noise, channels: 4 }, format)
      for (const background of [255, 0, [17, 130, 201]] as const) {
        const plan = image({ input: 'x', background, dtype: 'uint8' })
        expect(await levels(plan, file, 'worker')).toBe(0)
        expect(await levels(plan, file, 'canvas')).toBeLessThanOrEqual(1)
      }
    }
  })

  it('turns ink to light as Pillow does, Chromium to the next level', async () => {
    const { width, height, data } = picture(smooth)
    const file = await sharp(data, { raw: { width, height, channels: 3 } })
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    expect(await levels(plans.bytes, file, 'worker')).toBeLessThanOrEqual(1)
  })

  it('converts no colour profile', async () => {
    for (const format of ['png', 'webp', 'jpeg'] as const) {
      const file = await encode(smooth, format, (it) => it.withMetadata({ icc: 'p3' }))
      await expectSame(plans.bytes, file, format)
    }
  })

  it('gives the same samples of the same recording', async () => {
    const given = { hertz: 440, sampleRate: 44_100 }
    const plan = audio({ input: 'x', sampleRate: 16_000 })
    const { feeds } = await node.run(plan, { sampleRate: 44_100, channels: [tone(given)] })
    expect(await there(plan, { tone: given })).toMatchObject({
      sha256: await sha256(feeds.x.data),
      shape: [1, 1600],
      source: { sampleRate: 44_100, channels: 1, frames: 4410, truncated: false },
    })
  })

  it('answers forty runs at once, each with its own', async () => {
    expect(await page.evaluate(() => window.preprocessing.crowd())).toBe(40)
  })

  it('rejects an aborted run at once and goes on', async () => {
    const outcome = await page.evaluate(() => window.preprocessing.abort())
    expect(outcome.slice(0, 2).sort()).toEqual(['running', 'waiting'])
    expect(outcome[2]).toBe('done')
  })

  it.each(['close', 'throw'] as const)('replaces a worker that dies: %s', async (how) => {
    const [died, ...others] = await page.evaluate((how) => window.preprocessing.dying(how), how)
    expect(died).toMatchObject({ code: 'REALM_CRASHED' })
    for (const other of others) expect(other).toMatchObject({ shape: [1, 3, 48, 48] })
  })

  it('says when the worker’s script is not there', async () => {
    const [failed] = await page.evaluate(() => window.preprocessing.dying('missing'))
    expect(failed).toMatchObject({ code: 'REALM_CRASHED' })
    expect(failed?.message).toContain('missing.js')
  })

  it('moves buffers only when asked, and never from under a neighbour', async () => {
    expect(await page.evaluate(() => window.preprocessing.transfer())).toEqual([true, false, true])
  })

  it('says what is wrong with a file', async () => {
    const png = await encode(noise, 'png')
    const jpeg = await encode(noise, 'jpeg')
    const cases: [Buffer, string][] = [
      [Buffer.from('<!DOCTYPE html>'), 'a web page'],
      [Buffer.alloc(0), 'empty'],
      [png.subarray(0, png.length / 2), 'damaged or cut off'],
      [jpeg.subarray(0, jpeg.length / 2), 'damaged or cut off'],
    ]
    for (const [file, named] of cases) {
      for (const how of ['worker', 'canvas'] as const) {
        const { code, message } = await there(plans.bytes, { file: file.toString('base64') }, how)
        expect(code).toBe('INVALID_INPUT')
        expect(message).toContain(named)
      }
    }
  })

  it('left no error in the page that a test did not cause', () => {
    expect(problems.filter((problem) => !/missing\.js|404/.test(problem))).toEqual([])
  })
})
