import { type AudioPlan, type ImagePlan, image, type Preprocessor, preprocessor } from '@tandem/preprocess'
import * as testing from '@tandem/preprocess/testing'
import { conformance } from '../../packages/preprocess/test/conformance.js'
import dyingWorker from './dying.worker.js?worker&url'

/** What the page offers to the tests: each runs here, in the browser, and answers with plain data. */
export interface PreprocessPage {
  /** Runs Pillow's goldens in this thread; resolves with the failures. */
  conformance(): Promise<{ passed: number; failures: string[] }>
  run(plan: ImagePlan | AudioPlan, input: Given, how?: How): Promise<Answer>
  /** What becomes of a run that is aborted while it runs, one while it waits, and one after them. */
  abort(): Promise<string[]>
  /** What becomes of a run whose worker dies, of one that waits meanwhile, and of one after them. */
  dying(how: 'close' | 'throw' | 'missing'): Promise<Answer[]>
  /** Forty runs at once on two workers against the same inline: how many agree. */
  crowd(): Promise<number>
  /** Whether the buffer was left: copied, moved, and moved as a part of a larger one. */
  transfer(): Promise<[copied: boolean, moved: boolean, part: boolean]>
}

/** A file in base64, pixels to be made, or a tone. */
export type Given =
  | { readonly file: string; readonly as?: 'blob' | 'bitmap' }
  | { readonly picture: testing.Picture }
  | { readonly tone: { readonly hertz: number; readonly sampleRate: number } }

/** `canvas`: inline, in a browser without ImageDecoder. */
export type How = 'worker' | 'inline' | 'canvas'

export interface Answer {
  readonly sha256?: string
  readonly shape?: readonly number[]
  readonly source?: unknown
  /** The values of a uint8 result, in base64. */
  readonly bytes?: string
  readonly decodeMs?: number | null
  readonly code?: string
  readonly message?: string
}

declare global {
  interface Window {
    preprocessing: PreprocessPage
  }
}

const preprocessors: Record<How, Preprocessor> = {
  worker: preprocessor({ workers: 2 }),
  inline: preprocessor({ host: 'inline' }),
  canvas: preprocessor({ host: 'inline' }),
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

async function inputOf(given: Given) {
  if ('picture' in given) return testing.picture(given.picture)
  if ('tone' in given) return { sampleRate: given.tone.sampleRate, channels: [testing.tone(given.tone)] }
  const bytes = bytesOf(given.file)
  if (given.as === 'blob') return new Blob([bytes])
  if (given.as === 'bitmap') return createImageBitmap(new Blob([bytes]), { colorSpaceConversion: 'none' })
  return bytes
}

async function answer(pre: Preprocessor, plan: ImagePlan | AudioPlan, given: Given): Promise<Answer> {
  try {
    // The plan's kind is the test's affair here, as it is in JavaScript.
    const { feeds, source, timings } = await pre.run(plan as ImagePlan, (await inputOf(given)) as Uint8Array)
    const tensor = feeds[plan.input]
    if (tensor === undefined) throw new Error('no feed')
    const { shape, data } = tensor
    return {
      sha256: await testing.sha256(data),
      shape,
      source,
      decodeMs: timings.decode,
      ...(data instanceof Uint8Array && { bytes: base64Of(data) }),
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return { message, ...(code !== undefined && { code }) }
  }
}

const noise = { picture: { kind: 'noise', width: 96, height: 64, channels: 3 } } as const
const large = { picture: { kind: 'gradient', width: 2000, height: 1500, channels: 3 } } as const
const plan = image({ input: 'x', resize: 48 })

window.preprocessing = {
  async conformance() {
    const failures: string[] = []
    let passed = 0
    for (const { name, run } of conformance(testing)) {
      try {
        await run()
        passed++
      } catch (error) {
        failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    return { passed, failures }
  },

  async run(plan, given, how = 'worker') {
    const { ImageDecoder } = globalThis
    if (how === 'canvas') Reflect.deleteProperty(globalThis, 'ImageDecoder')
    try {
      return await answer(preprocessors[how], plan, given)
    } finally {
      globalThis.ImageDecoder = ImageDecoder
    }
  },

  async abort() {
    await using pre = preprocessor({ workers: 1 })
    const outcome: string[] = []
    const running = new AbortController()
    const waiting = new AbortController()
    const [pixels, small] = [testing.picture(large.picture), testing.picture(noise.picture)]
    const runs = [
      pre.run(plan, pixels, { signal: running.signal }).catch((reason) => outcome.push(reason)),
      pre.run(plan, small, { signal: waiting.signal }).catch((reason) => outcome.push(reason)),
      pre.run(plan, small).then(() => outcome.push('done')),
    ]
    running.abort('running')
    waiting.abort('waiting')
    await Promise.all(runs)
    return outcome
  },

  async dying(how) {
    const workerUrl =
      how === 'missing' ? new URL('missing.js', location.href) : new URL(dyingWorker, location.href)
    await using pre = preprocessor({ workers: 1, workerUrl })
    const both = await Promise.all([answer(pre, image({ input: how }), noise), answer(pre, plan, noise)])
    return [...both, await answer(pre, plan, noise)]
  },

  async crowd() {
    const pictures = Array.from(
      { length: 40 },
      (_, seed): Given => ({
        picture: { kind: 'noise', width: 70, height: 50, channels: 3, seed },
      }),
    )
    const answers = await Promise.all(pictures.map((given) => answer(preprocessors.worker, plan, given)))
    const wanted = await Promise.all(pictures.map((given) => answer(preprocessors.inline, plan, given)))
    return answers.filter(({ sha256 }, i) => sha256 !== undefined && sha256 === wanted[i]?.sha256).length
  },

  async transfer() {
    const pixels = testing.picture(noise.picture)
    const run = async (data: Uint8Array<ArrayBuffer>, transfer: boolean): Promise<boolean> => {
      await preprocessors.worker.run(plan, { ...pixels, data }, { transfer })
      return data.buffer.byteLength > 0
    }
    const data = new Uint8Array(pixels.data)
    const larger = new Uint8Array(data.length + 8)
    larger.set(data)
    return [
      await run(data.slice(), false),
      await run(data.slice(), true),
      await run(larger.subarray(0, data.length), true),
    ]
  },
}
