import type { Tensor } from '@tandem/sdk'
import { toFloat16 } from '@tandem/sdk/float16'
import { greenAndBlue, type View } from '../pixels.js'

/** Normalise, `(value · scale − mean) / std`, and lay out as a batch of one, in one pass. */
export interface ToTensor {
  readonly op: 'tensor'
  readonly dtype: 'float32' | 'float16' | 'uint8'
  readonly layout: 'NCHW' | 'NHWC'
  readonly channels: 'RGB' | 'BGR'
  readonly scale: number
  /** Red, green, blue, whatever the order in the tensor. */
  readonly mean: readonly [number, number, number]
  readonly std: readonly [number, number, number]
}

type Table = Float32Array | Uint16Array | Uint8Array
type Tables<T extends Table> = readonly [red: T, green: T, blue: T]

/** A pixel has 256 values, so normalising is a look-up. Each step is rounded to float32, as torch does it. */
export const normalised = (step: ToTensor): Tables<Float32Array> => {
  const table = (channel: 0 | 1 | 2): Float32Array => {
    const mean = Math.fround(step.mean[channel])
    const std = Math.fround(step.std[channel])
    return Float32Array.from({ length: 256 }, (_, value) =>
      Math.fround(Math.fround(Math.fround(value * step.scale) - mean) / std),
    )
  }
  return [table(0), table(1), table(2)]
}

/** A tensor of its own memory: shape [1, 3, height, width] or [1, height, width, 3]. */
export const toTensor = (view: View, step: ToTensor): Tensor<ToTensor['dtype']> => {
  const { width, height } = view
  const shape = step.layout === 'NCHW' ? [1, 3, height, width] : [1, height, width, 3]
  const length = width * height * 3
  const [red, green, blue] = normalised(step)
  switch (step.dtype) {
    case 'float32': {
      const data = new Float32Array(length)
      spread(view, step, [red, green, blue], data)
      return { dtype: 'float32', shape, data }
    }
    case 'float16': {
      const data = new Uint16Array(length)
      spread(view, step, [toFloat16(red), toFloat16(green), toFloat16(blue)], data)
      return { dtype: 'float16', shape, data }
    }
    case 'uint8': {
      const data = new Uint8Array(length)
      spread(view, step, [Uint8Array.from(red), Uint8Array.from(green), Uint8Array.from(blue)], data)
      return { dtype: 'uint8', shape, data }
    }
  }
}

function spread<T extends Table>(view: View, step: ToTensor, [reds, greens, blues]: Tables<T>, out: T): void {
  const { data, width, height, stepX, stepY } = view
  const [g, b] = greenAndBlue(view)
  const planar = step.layout === 'NCHW'
  const apart = planar ? width * height : 1
  const next = planar ? 1 : 3
  const red = step.channels === 'RGB' ? 0 : 2 * apart
  const blue = 2 * apart - red
  let o = 0
  for (let y = 0; y < height; y++) {
    let p = view.offset + y * stepY
    for (let x = 0; x < width; x++) {
      out[o + red] = reds[data[p] as number] as number
      out[o + apart] = greens[data[p + g] as number] as number
      out[o + blue] = blues[data[p + b] as number] as number
      o += next
      p += stepX
    }
  }
}
