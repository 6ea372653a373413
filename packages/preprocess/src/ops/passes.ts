import { greenAndBlue, packedView, type View, windowOf } from '../pixels.js'
import type { Scratch } from '../scratch.js'
import { precisionBits, type Weights } from './filters.js'

/** Rows gathered at a time from a picture that lies on its side: one cache line holds the same column of about as many. */
const gatheredRows = 16

/** The horizontal pass over all rows of `view`, for `width` pixels from `left` on, to packed RGB. */
export function horizontal(
  view: View,
  table: Weights,
  left: number,
  width: number,
  out: Uint8Array,
  memory: Scratch,
): void {
  if (Math.abs(view.stepX) <= Math.abs(view.stepY)) {
    horizontalRows(view, table, left, width, out, 0)
    return
  }
  const block = memory.bytes('resize gather', gatheredRows * view.width * 3)
  for (let y = 0; y < view.height; y += gatheredRows) {
    const rows = Math.min(gatheredRows, view.height - y)
    gather(windowOf(view, 0, y, view.width, rows), block)
    horizontalRows(packedView(block, view.width, rows), table, left, width, out, y * width * 3)
  }
}

/** `pack`, column by column: for views whose columns are the rows of memory. */
function gather(view: View, out: Uint8Array): void {
  const { data, width, height, stepX, stepY } = view
  const [g, b] = greenAndBlue(view)
  for (let x = 0; x < width; x++) {
    let p = view.offset + x * stepX
    let o = x * 3
    for (let y = 0; y < height; y++) {
      out[o] = data[p] as number
      out[o + 1] = data[p + g] as number
      out[o + 2] = data[p + b] as number
      o += width * 3
      p += stepY
    }
  }
}

const half = 1 << (precisionBits - 1)

function horizontalRows(
  view: View,
  table: Weights,
  left: number,
  width: number,
  out: Uint8Array,
  at: number,
): void {
  const { data, height, stepX, stepY } = view
  const { starts, counts, values, stride } = table
  const [g, b] = greenAndBlue(view)
  let o = at
  for (let y = 0; y < height; y++) {
    const row = view.offset + y * stepY
    for (let x = left; x < left + width; x++) {
      let red = half
      let green = half
      let blue = half
      let p = (row + (starts[x] as number) * stepX) | 0
      let k = x * stride
      const end = k + (counts[x] as number)
      // Two taps a turn and no overflow checks (`imul`, `| 0`): half the time.
      for (; k + 1 < end; k += 2) {
        const weight = values[k] as number
        const following = values[k + 1] as number
        const q = (p + stepX) | 0
        red = (red + Math.imul(data[p] as number, weight) + Math.imul(data[q] as number, following)) | 0
        green =
          (green + Math.imul(data[p + g] as number, weight) + Math.imul(data[q + g] as number, following)) | 0
        blue =
          (blue + Math.imul(data[p + b] as number, weight) + Math.imul(data[q + b] as number, following)) | 0
        p = (q + stepX) | 0
      }
      if (k < end) {
        const weight = values[k] as number
        red = (red + Math.imul(data[p] as number, weight)) | 0
        green = (green + Math.imul(data[p + g] as number, weight)) | 0
        blue = (blue + Math.imul(data[p + b] as number, weight)) | 0
      }
      out[o] = clip(red)
      out[o + 1] = clip(green)
      out[o + 2] = clip(blue)
      o += 3
    }
  }
}

/** The vertical pass. `rows` holds the source from row `firstRow` on, `rowBytes` bytes a row. */
export function vertical(
  rows: Uint8Array,
  rowBytes: number,
  table: Weights,
  firstRow: number,
  top: number,
  height: number,
  out: Uint8Array,
): void {
  const { starts, counts, values, stride } = table
  let o = 0
  for (let y = top; y < top + height; y++) {
    const from = ((starts[y] as number) - firstRow) * rowBytes
    const end = y * stride + (counts[y] as number)
    for (let x = 0; x < rowBytes; x++) {
      let sum = half
      let p = (from + x) | 0
      let k = y * stride
      for (; k + 1 < end; k += 2) {
        const q = (p + rowBytes) | 0
        const above = Math.imul(rows[p] as number, values[k] as number)
        sum = (sum + above + Math.imul(rows[q] as number, values[k + 1] as number)) | 0
        p = (q + rowBytes) | 0
      }
      if (k < end) sum = (sum + Math.imul(rows[p] as number, values[k] as number)) | 0
      out[o++] = clip(sum)
    }
  }
}

function clip(sum: number): number {
  const value = sum >> precisionBits
  if (value < 0) return 0
  return Math.min(value, 255)
}
