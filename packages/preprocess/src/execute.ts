import type { Tensor } from '@tandem/sdk'
import { InferenceError } from '@tandem/sdk/error'
import { sampleRates } from './audio.js'
import { invalid, show, whole } from './check.js'
import { identity, type Mapping } from './geometry.js'
import { type Header, header } from './headers/index.js'
import {
  type AudioInput,
  bytesOfBuffer,
  type ImageInput,
  type Input,
  isArrayBuffer,
  isBitmap,
  isBlob,
  isUint8Array,
} from './input.js'
import type { Frame } from './ops/frame.js'
import { type AudioOps, audioOps, type ImageOps, imageOps } from './ops/index.js'
import type { Signal } from './ops/signal.js'
import { toTensor } from './ops/tensor.js'
import { type Pixels, viewOf } from './pixels.js'
import type { AudioPlan, AudioStep, ImageDType, ImagePlan, ImageStep, Plan } from './plan.js'
import type { Decoder } from './platform.js'
import { refusal, startsWith, tooManyPixels } from './refusal.js'
import type { Scratch } from './scratch.js'
import { decodeWav } from './wav.js'

/** What a run gives, as plain data that crosses a worker's boundary. */
export type Done = ImageDone | AudioDone

interface ImageDone extends Timed {
  readonly kind: 'image'
  readonly tensor: Tensor<ImageDType>
  readonly source: ImageSource
  readonly map: Mapping
}
interface AudioDone extends Timed {
  readonly kind: 'audio'
  readonly tensor: Tensor<'float32'>
  readonly source: AudioSource
}
interface Timed {
  /** Milliseconds from bytes to pixels or samples; null when they came decoded. */
  readonly decodeMs: number | null
  /** Milliseconds of the whole run, decoding included. */
  readonly preprocessMs: number
}

/** The picture's size, upright. */
export interface ImageSource {
  readonly width: number
  readonly height: number
}
export interface AudioSource {
  /** Hz of the recording. */
  readonly sampleRate: number
  readonly channels: number
  /** Samples per channel. */
  readonly frames: number
  /** Whether the file ended before the samples that it promised. */
  readonly truncated: boolean
}

/** Runs a plan in this thread. */
export const execute = async (plan: Plan, input: Input, decoder: Decoder, memory: Scratch): Promise<Done> => {
  try {
    return await (plan.kind === 'image'
      ? executeImage(plan, input as ImageInput, decoder, memory)
      : executeAudio(plan, input as AudioInput, memory))
  } catch (cause) {
    // What engines throw for an array that does not fit into memory, or into an array.
    if (!(cause instanceof RangeError)) throw cause
    throw new InferenceError(
      'OUT_OF_MEMORY',
      `The plan's result does not fit into memory (${cause.message}): give it a smaller input, or the model a smaller one.`,
      { cause },
    )
  }
}

async function executeImage(
  plan: ImagePlan,
  input: ImageInput,
  decoder: Decoder,
  memory: Scratch,
): Promise<ImageDone> {
  const startedAt = performance.now()
  const { frame, encoded } = await firstFrame(plan, input, decoder, memory)
  const decodedAt = performance.now()
  const { width, height } = frame.view
  const lies = frame.orientation >= 5
  const last = plan.steps.reduce((current, step) => applyImage(current, step, memory), frame)
  const tensor = toTensor(last.view, plan.tensor)
  return {
    kind: 'image',
    tensor,
    source: lies ? { width: height, height: width } : { width, height },
    map: last.map,
    decodeMs: encoded ? decodedAt - startedAt : null,
    preprocessMs: performance.now() - startedAt,
  }
}

async function firstFrame(
  plan: ImagePlan,
  input: ImageInput,
  decoder: Decoder,
  memory: Scratch,
): Promise<{ readonly frame: Frame; readonly encoded: boolean }> {
  const upright = { orientation: 1, map: identity }
  if (isBlob(input) || isArrayBuffer(input) || isUint8Array(input)) {
    const bytes = await bytesOf(input)
    const head = header(bytes, plan.maxPixels)
    const pixels = await decodeOrRefuse(bytes, head, decoder, memory)
    return {
      frame: { view: viewOf(pixels, !head.alpha), orientation: head.orientation, map: identity },
      encoded: true,
    }
  }
  const { width, height } = input
  if (width * height > plan.maxPixels) throw tooManyPixels(width, height, plan.maxPixels)
  if (!isBitmap(input)) return { frame: { view: viewOf(input), ...upright }, encoded: false }
  if (decoder.readBitmap === undefined) {
    throw invalid('input', 'is an ImageBitmap, which only browsers have: give its pixels or the encoded file')
  }
  return { frame: { view: viewOf(decoder.readBitmap(input)), ...upright }, encoded: true }
}

async function decodeOrRefuse(
  bytes: Uint8Array,
  head: Header,
  decoder: Decoder,
  memory: Scratch,
): Promise<Pixels> {
  try {
    return await decoder.decode(bytes, head, memory)
  } catch (cause) {
    if (InferenceError.is(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw refusal(
      `the ${head.format} is damaged or cut off: ${startsWith(bytes)}; the decoder says: ${reason}`,
      {},
      cause,
    )
  }
}

function applyImage<Op extends keyof ImageOps>(frame: Frame, step: ImageStep<Op>, memory: Scratch): Frame {
  const op: ImageOps[Op] | undefined = imageOps[step.op as Op]
  if (op === undefined) throw unknownOp(step, imageOps)
  return op(frame, step, memory)
}

async function executeAudio(plan: AudioPlan, input: AudioInput, memory: Scratch): Promise<AudioDone> {
  const startedAt = performance.now()
  const encoded = isBlob(input) || isArrayBuffer(input) || isUint8Array(input)
  const recording = encoded ? decodeWav(await bytesOf(input)) : { ...input, truncated: false }
  // A WAV may say anything: to and from 1 Hz the filter alone would fill the memory.
  whole('input.sampleRate', recording.sampleRate, sampleRates.min, sampleRates.max)
  const decodedAt = performance.now()
  const last = plan.steps.reduce((current: Signal, step) => applyAudio(current, step, memory), recording)
  const frames = last.channels[0]?.length ?? 0
  const data = new Float32Array(frames * last.channels.length)
  last.channels.forEach((samples, channel) => {
    data.set(samples, channel * frames)
  })
  return {
    kind: 'audio',
    tensor: { dtype: 'float32', shape: [last.channels.length, frames], data },
    source: {
      sampleRate: recording.sampleRate,
      channels: recording.channels.length,
      frames: recording.channels[0]?.length ?? 0,
      truncated: recording.truncated,
    },
    decodeMs: encoded ? decodedAt - startedAt : null,
    preprocessMs: performance.now() - startedAt,
  }
}

function applyAudio<Op extends keyof AudioOps>(signal: Signal, step: AudioStep<Op>, memory: Scratch): Signal {
  const op: AudioOps[Op] | undefined = audioOps[step.op as Op]
  if (op === undefined) throw unknownOp(step, audioOps)
  return op(signal, step, memory)
}

/** A plan that came from a file or a wire may hold anything. */
function unknownOp(step: { readonly op?: unknown }, ops: object): InferenceError {
  return invalid('plan.steps', `has an op ${show(step.op)}; there are ${Object.keys(ops).join(', ')}`)
}

async function bytesOf(input: Blob | ArrayBuffer | Uint8Array): Promise<Uint8Array> {
  if (isUint8Array(input)) return input
  return isArrayBuffer(input) ? bytesOfBuffer(input) : new Uint8Array(await readBlob(input))
}

async function readBlob(blob: Blob): Promise<ArrayBuffer> {
  try {
    return await blob.arrayBuffer()
  } catch (cause) {
    // The file behind a File was moved or changed after it was chosen.
    throw refusal(
      `the file cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      {},
      cause,
    )
  }
}
