import { invalid, show, whole } from './check.js'

/** Decoded 8-bit pixels, row by row without padding. Alpha is straight, not premultiplied. An `ImageData` is one. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
  /** 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. Told from `data.length` when absent. */
  readonly channels?: Channels | undefined
}
export type Channels = 1 | 2 | 3 | 4

/**
 * A way of looking at pixels: orientation and crop are other steps through the same bytes, so they cost nothing.
 * Pixel (x, y) starts at `offset + x * stepX + y * stepY`.
 */
export interface View {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: Channels
  /** Whether the last channel is an alpha that matters. False on RGBA of a format that has none, such as JPEG. */
  readonly alpha: boolean
  readonly offset: number
  readonly stepX: number
  readonly stepY: number
}

/** The largest side that is accepted: what a canvas and an ImageBitmap take. */
export const maxSide = 65_535

/** By tag: a test runner or an iframe has classes of its own. @throws INVALID_INPUT */
export const checkPixelData = (data: unknown): void => {
  const kind = Object.prototype.toString.call(data)
  if (kind === '[object Uint8Array]' || kind === '[object Uint8ClampedArray]') return
  throw invalid('pixels.data', `must be a Uint8Array or a Uint8ClampedArray, got ${show(data)}`)
}

/** Pixels as a view of all of them. @throws INVALID_INPUT when the sizes do not fit together */
export const viewOf = (pixels: Pixels, opaque = false): View => {
  const width = whole('pixels.width', pixels.width, 1, maxSide)
  const height = whole('pixels.height', pixels.height, 1, maxSide)
  const { data } = pixels
  checkPixelData(data)
  const channels = pixels.channels ?? data.length / (width * height)
  if (channels !== 1 && channels !== 2 && channels !== 3 && channels !== 4) {
    throw invalid(
      'pixels',
      `${data.length} bytes for ${width} × ${height} make ${channels} channels; 1 to 4 are possible`,
    )
  }
  if (data.length !== width * height * channels) {
    throw invalid(
      'pixels.data',
      `must hold ${width} × ${height} × ${channels} = ${width * height * channels} bytes, holds ${data.length}`,
    )
  }
  const alpha = !opaque && (channels === 2 || channels === 4)
  // One class of array wherever the pixels come from (Buffer, ImageData): the ops are compiled for it once.
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.length)
  return { data: bytes, width, height, channels, alpha, offset: 0, stepX: channels, stepY: channels * width }
}

/** How far a pixel's green and blue stand behind its first byte. Grey stands for both. */
export const greenAndBlue = ({ channels }: View): readonly [green: number, blue: number] =>
  channels < 3 ? [0, 0] : [1, 2]

/** A view of packed RGB. */
export const packedView = (data: Uint8Array, width: number, height: number): View => ({
  data,
  width,
  height,
  channels: 3,
  alpha: false,
  offset: 0,
  stepX: 3,
  stepY: 3 * width,
})

/** The part of a view that starts at (left, top). Costs nothing. */
export const windowOf = (view: View, left: number, top: number, width: number, height: number): View => ({
  ...view,
  width,
  height,
  offset: view.offset + left * view.stepX + top * view.stepY,
})

/** Copies a view as packed RGB to `out`, whose rows are `outStep` bytes apart and begin at `at`. Grey is repeated. */
export const pack = (view: View, out: Uint8Array, at = 0, outStep: number = view.width * 3): void => {
  const { data, width, height, stepX, stepY } = view
  const [g, b] = greenAndBlue(view)
  for (let y = 0; y < height; y++) {
    let p = view.offset + y * stepY
    let o = at + y * outStep
    if (stepX === 3) {
      out.set(data.subarray(p, p + width * 3), o)
      continue
    }
    for (let x = 0; x < width; x++) {
      out[o] = data[p] as number
      out[o + 1] = data[p + g] as number
      out[o + 2] = data[p + b] as number
      o += 3
      p += stepX
    }
  }
}
