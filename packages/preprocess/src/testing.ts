import { identity } from './geometry.js'
import { sinPi } from './math.js'
import { type AudioSteps, audioOps, type ImageSteps, imageOps } from './ops/index.js'
import type { Signal } from './ops/signal.js'
import { type Channels, type Pixels, pack, type View, viewOf } from './pixels.js'
import { type Scratch, scratch } from './scratch.js'

/** One test, for any runner: it throws, or it has passed. */
export interface Case {
  readonly name: string
  run(): Promise<void>
}

/** What an op on pictures has to give. */
export interface ImageGolden<Op extends keyof ImageSteps> {
  readonly name: string
  readonly input: Pixels
  /** EXIF orientation of the input; 1 by default. */
  readonly orientation?: number | undefined
  readonly step: ImageSteps[Op]
  readonly output: {
    readonly width: number
    readonly height: number
    /** Packed RGB, or its SHA-256 in hex where it would be large. */
    readonly data: Uint8Array | string
  }
  /** Levels by which a byte may differ from `data`; 0 by default. */
  readonly tolerance?: number | undefined
}

/** What an op on recordings has to give. */
export interface AudioGolden<Op extends keyof AudioSteps> {
  readonly name: string
  readonly input: Signal
  readonly step: AudioSteps[Op]
  readonly output: Signal
  /** By how much a sample may differ; 0 by default. */
  readonly tolerance?: number | undefined
}

/**
 * The conformance suite of an op: it gives the golden result, from any view of the same pixels, whatever was left in its
 * scratch memory, and leaves its input alone.
 */
export function testOp<Op extends keyof ImageSteps>(op: Op, goldens: readonly ImageGolden<Op>[]): Case[]
export function testOp<Op extends keyof AudioSteps>(op: Op, goldens: readonly AudioGolden<Op>[]): Case[]
export function testOp(op: string, goldens: readonly unknown[]): Case[] {
  return op in imageOps
    ? goldens.flatMap((golden) => imageCases(op as 'resize', golden as ImageGolden<'resize'>))
    : goldens.flatMap((golden) => audioCases(op as 'mix', golden as AudioGolden<'mix'>))
}

function imageCases<Op extends keyof ImageSteps>(op: Op, golden: ImageGolden<Op>): Case[] {
  const { name, input, orientation = 1, step, tolerance = 0 } = golden
  const apply = (view: View, memory: Scratch): View =>
    imageOps[op]({ view, orientation, map: identity }, step, memory).view
  const check = async (view: View): Promise<void> => {
    const got = new Uint8Array(view.width * view.height * 3)
    pack(view, got)
    const { width, height, data } = golden.output
    if (view.width !== width || view.height !== height) {
      throw new Error(`${name}: ${view.width} × ${view.height}, expected ${width} × ${height}`)
    }
    if (typeof data !== 'string') return same(name, got, data, tolerance)
    const digest = await sha256(got)
    if (digest !== data) throw new Error(`${name}: SHA-256 ${digest}, expected ${data}`)
  }
  const whole = viewOf(input)
  return [
    { name: `${op}: ${name}`, run: () => check(apply(whole, scratch())) },
    {
      name: `${op}: ${name}, from a part of a larger picture and used memory`,
      async run() {
        const memory = soiled()
        const before = input.data.slice()
        await check(apply(embedded(whole), memory))
        await check(apply(embedded(whole), memory))
        same(`${name}: input`, input.data, before, 0)
      },
    },
  ]
}

function audioCases<Op extends keyof AudioSteps>(op: Op, golden: AudioGolden<Op>): Case[] {
  const { name, input, step, output, tolerance = 0 } = golden
  return [
    {
      name: `${op}: ${name}`,
      async run() {
        const memory = soiled()
        const before = input.channels.map((samples) => samples.slice())
        for (const got of [audioOps[op](input, step, memory), audioOps[op](input, step, memory)]) {
          if (got.sampleRate !== output.sampleRate) throw new Error(`${name}: ${got.sampleRate} Hz`)
          if (got.channels.length !== output.channels.length)
            throw new Error(`${name}: ${got.channels.length} channels`)
          got.channels.forEach((samples, i) => {
            same(`${name}: channel ${i}`, samples, output.channels[i] ?? [], tolerance)
          })
        }
        input.channels.forEach((samples, i) => {
          same(`${name}: input`, samples, before[i] ?? [], 0)
        })
      },
    },
  ]
}

/** Memory as a run before has left it. */
function soiled(): Scratch {
  const memory = scratch()
  return { ...memory, bytes: (slot, length, source) => memory.bytes(slot, length, source).fill(0xa5) }
}

/** The same picture as a window in a larger one. */
function embedded(view: View): View {
  const { width, height, channels } = view
  const stepY = (width + 5) * channels
  const data = new Uint8Array(stepY * (height + 4)).fill(0x5a)
  const offset = 2 * stepY + 3 * channels
  for (let y = 0; y < height; y++) {
    data.set(view.data.subarray(y * width * channels, (y + 1) * width * channels), offset + y * stepY)
  }
  return { ...view, data, offset, stepX: channels, stepY }
}

function same(name: string, got: ArrayLike<number>, wanted: ArrayLike<number>, tolerance: number): void {
  if (got.length !== wanted.length)
    throw new Error(`${name}: ${got.length} values, expected ${wanted.length}`)
  for (let i = 0; i < got.length; i++) {
    if (Math.abs((got[i] as number) - (wanted[i] as number)) > tolerance) {
      throw new Error(`${name}: ${got[i]} at ${i}, expected ${wanted[i]}`)
    }
  }
}

/** In hex. */
export const sha256 = async (data: ArrayBufferView): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', data)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** Pictures that are the same wherever they are made; `golden/make.py` makes them too. */
export interface Picture {
  readonly kind: 'noise' | 'gradient' | 'checkerboard'
  readonly width: number
  readonly height: number
  readonly channels: Channels
  readonly seed?: number | undefined
}

export const picture = ({ kind, width, height, channels, seed = 1 }: Picture): Pixels => {
  const data = new Uint8Array(width * height * channels)
  let state = seed
  for (let i = 0; i < data.length; i++) {
    const x = Math.floor(i / channels) % width
    const y = Math.floor(i / channels / width)
    const channel = i % channels
    // Numerical Recipes' generator: its high bits are random enough for pixels.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    if (kind === 'noise') data[i] = state >>> 24
    else if (kind === 'gradient') data[i] = (x * (channel + 1) + y * (channels - channel)) & 255
    else data[i] = (x + y) % 2 === 0 ? 255 : 0
  }
  return { width, height, channels, data }
}

/** A tenth of a second of a sine, without `Math.sin`: the same samples in every engine. */
export const tone = ({
  hertz,
  sampleRate,
}: {
  readonly hertz: number
  readonly sampleRate: number
}): Float32Array =>
  Float32Array.from({ length: Math.ceil(sampleRate / 10) }, (_, i) => sinPi((2 * hertz * i) / sampleRate))
