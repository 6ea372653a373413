import { invalid, show } from './check.js'
import type { Signal } from './ops/signal.js'
import { checkPixelData, type Pixels } from './pixels.js'

/** A picture that a browser has decoded: an ImageBitmap. Its pixels are read through a canvas. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  close(): void
}

/** A file's content (JPEG, PNG, WebP, GIF), or pixels. */
export type ImageInput = Blob | ArrayBuffer | Uint8Array | Pixels | Bitmap

/** A WAV file's content, or samples. */
export type AudioInput = Blob | ArrayBuffer | Uint8Array | Signal

export type Input = ImageInput | AudioInput

/** An input as it goes to a worker: nothing in it is the caller's any more, unless it is immutable. */
export interface Packed {
  readonly input: Input
  readonly transfer: readonly ArrayBuffer[]
}

export const isBlob = (input: unknown): input is Blob => typeof Blob !== 'undefined' && input instanceof Blob

/** By tag, not by class: a test runner or an iframe has classes of its own. */
const tagOf = (input: unknown): string => Object.prototype.toString.call(input)
export const isArrayBuffer = (input: unknown): input is ArrayBuffer => tagOf(input) === '[object ArrayBuffer]'
export const isUint8Array = (input: unknown): input is Uint8Array => tagOf(input) === '[object Uint8Array]'

/** @throws INVALID_INPUT for a buffer that was transferred away */
export const bytesOfBuffer = (buffer: ArrayBuffer): Uint8Array => {
  try {
    return new Uint8Array(buffer)
  } catch (cause) {
    throw invalid(
      'input',
      `is an ArrayBuffer that cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
}

export const isBitmap = (input: object): input is Bitmap =>
  'close' in input && typeof input.close === 'function'

/** Refuses what is none of the inputs that a plan of this kind takes. */
export const checkInput = (kind: 'image' | 'audio', input: unknown): void => {
  const pictures = 'a Blob, an ArrayBuffer, a Uint8Array or pixels { width, height, data }'
  const recordings = 'a Blob, an ArrayBuffer, a Uint8Array or samples { sampleRate, channels }'
  const wanted = kind === 'image' ? pictures : recordings
  if (isBlob(input) || isArrayBuffer(input) || isUint8Array(input)) return
  const known =
    typeof input === 'object' &&
    input !== null &&
    (kind === 'image'
      ? ('data' in input && 'width' in input) || isBitmap(input)
      : 'channels' in input && 'sampleRate' in input)
  if (!known) throw invalid('input', `must be ${wanted}, got ${show(input)}`)
  if ('sampleRate' in input) checkChannels((input as Signal).channels)
  else if ('data' in input) checkPixelData(input.data)
}

const checkChannels = (channels: unknown): void => {
  const [first, ...others]: readonly unknown[] = Array.isArray(channels) ? channels : []
  const fits = (samples: unknown): samples is Float32Array => tagOf(samples) === '[object Float32Array]'
  if (fits(first) && others.every((samples) => fits(samples) && samples.length === first.length)) return
  throw invalid('input.channels', 'must be Float32Arrays of one length, one a channel')
}

/**
 * Copies the caller's memory, or with `move` takes it over. What can't be moved without harm is copied all the same: a
 * view into a larger buffer, shared memory, WebAssembly memory.
 */
export const packInput = (input: Input, move: boolean): Packed => {
  const transfer = new Set<ArrayBuffer>()
  const own = <T extends Uint8Array | Uint8ClampedArray | Float32Array>(data: T): T => {
    const taken = (move ? takeOver(data) : undefined) ?? copyOf(data)
    transfer.add(taken.buffer as ArrayBuffer)
    return taken
  }
  const packed = (): Input => {
    if (isBlob(input)) return input
    if (isArrayBuffer(input)) return own(bytesOfBuffer(input))
    if (isUint8Array(input)) return own(input)
    if ('sampleRate' in input) return { sampleRate: input.sampleRate, channels: input.channels.map(own) }
    if (!('data' in input)) return input
    const { width, height, channels, data } = input
    return { width, height, channels, data: own(data) }
  }
  return { input: packed(), transfer: [...transfer] }
}

interface ViewClass<T> {
  new (source: ArrayBuffer | T): T
}

/** A Node Buffer becomes the Uint8Array that it is. */
function classOf<T extends Uint8Array | Uint8ClampedArray | Float32Array>(data: T): ViewClass<T> {
  return (isUint8Array(data) ? Uint8Array : data.constructor) as ViewClass<T>
}

/** Not `data.slice()`: a Buffer's gives a view of the caller's own memory, which would then be moved away. */
function copyOf<T extends Uint8Array | Uint8ClampedArray | Float32Array>(data: T): T {
  return new (classOf(data))(data)
}

function takeOver<T extends Uint8Array | Uint8ClampedArray | Float32Array>(data: T): T | undefined {
  const { buffer } = data
  if (!isArrayBuffer(buffer) || data.byteLength !== buffer.byteLength || data.byteLength === 0)
    return undefined
  try {
    return new (classOf(data))(structuredClone(buffer, { transfer: [buffer] }))
  } catch {
    // WebAssembly memory looks like an ArrayBuffer and only says no when one tries.
    return undefined
  }
}
