import { greenAndBlue, packedView, type View } from '../pixels.js'
import type { Scratch } from '../scratch.js'

/** Pillow's nearest neighbour. It adds the scale up step by step, and so does this: the rounding errors are the same. */
export const nearest = (
  view: View,
  size: { readonly width: number; readonly height: number },
  window: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
  memory: Scratch,
): View => {
  const columns = memory.memo(`nearest ${view.width} ${size.width}`, () => positions(view.width, size.width))
  const rows = memory.memo(`nearest ${view.height} ${size.height}`, () => positions(view.height, size.height))
  const { left, top, width, height } = window
  const out = memory.bytes('resize', width * height * 3, view.data)
  const [g, b] = greenAndBlue(view)
  let o = 0
  for (let y = top; y < top + height; y++) {
    const row = view.offset + (rows[y] as number) * view.stepY
    for (let x = left; x < left + width; x++) {
      const p = row + (columns[x] as number) * view.stepX
      out[o] = view.data[p] as number
      out[o + 1] = view.data[p + g] as number
      out[o + 2] = view.data[p + b] as number
      o += 3
    }
  }
  return packedView(out, width, height)
}

const positions = (from: number, to: number): Int32Array => {
  const step = from / to
  const found = new Int32Array(to)
  let position = step * 0.5
  for (let i = 0; i < to; i++) {
    found[i] = Math.min(from - 1, Math.floor(position))
    position += step
  }
  return found
}
