import { greenAndBlue, packedView } from '../pixels.js'
import type { ImageOp } from './frame.js'

/** Lays a picture with alpha on a plain background: red, green, blue from 0 to 255. */
export interface Composite {
  readonly op: 'composite'
  readonly background: readonly [number, number, number]
}

/** Rounds x / 255 for x up to 255², as Pillow's `DIV255` does. */
const divide255 = (x: number): number => (x + 128 + ((x + 128) >> 8)) >> 8

export const composite: ImageOp<Composite> = (frame, step, memory) => {
  const { view } = frame
  if (!view.alpha) return frame
  const { data, width, height, stepX, stepY, channels } = view
  const out = memory.bytes('composite', width * height * 3)
  const [red, green, blue] = step.background
  const a = channels - 1
  const [g, b] = greenAndBlue(view)
  let o = 0
  for (let y = 0; y < height; y++) {
    let p = view.offset + y * stepY
    for (let x = 0; x < width; x++) {
      const alpha = data[p + a] as number
      const rest = 255 - alpha
      out[o] = divide255((data[p] as number) * alpha + red * rest)
      out[o + 1] = divide255((data[p + g] as number) * alpha + green * rest)
      out[o + 2] = divide255((data[p + b] as number) * alpha + blue * rest)
      o += 3
      p += stepX
    }
  }
  return { ...frame, view: packedView(out, width, height) }
}
