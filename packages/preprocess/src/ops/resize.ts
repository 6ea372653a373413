import { moved, scaled } from '../geometry.js'
import { pack, packedView, type View, windowOf } from '../pixels.js'
import type { Scratch } from '../scratch.js'
import { crop, cropStart } from './crop.js'
import { type Filter, precisionBits, type Weights, weightsFor } from './filters.js'
import type { Frame, ImageOp } from './frame.js'
import { nearest } from './nearest.js'

/** Pillow's antialiased resize, to the bit. With `crop`, only the pixels of the centre crop are computed. */
export interface Resize {
  readonly op: 'resize'
  /** The shorter side gets this length and the other follows, rounded down as torchvision does; or exact sides. */
  readonly to: { readonly shortest: number } | { readonly width: number; readonly height: number }
  readonly filter: Filter
  readonly crop?: { readonly width: number; readonly height: number } | undefined
}

export interface Size {
  readonly width: number
  readonly height: number
}
interface Window extends Size {
  readonly left: number
  readonly top: number
}

export const resize: ImageOp<Resize> = (frame, step, memory) => {
  const { view } = frame
  const size = targetSize(view, step.to)
  const { crop: cropped } = step
  const map = scaled(frame.map, size.width / view.width, size.height / view.height)
  const whole = (): Frame => ({ ...frame, view: resized(view, size, step.filter, memory), map })
  if (cropped === undefined) return whole()
  if (cropped.width > size.width || cropped.height > size.height)
    return crop(whole(), { op: 'crop', ...cropped }, memory)
  const window = {
    ...cropped,
    left: cropStart(size.width, cropped.width),
    top: cropStart(size.height, cropped.height),
  }
  const part = resized(view, size, step.filter, memory, window)
  return { ...frame, view: part, map: moved(map, -window.left, -window.top) }
}

const targetSize = (view: Size, to: Resize['to']): Size => {
  if (!('shortest' in to)) return to
  const { shortest } = to
  return view.width <= view.height
    ? { width: shortest, height: Math.max(1, Math.floor((shortest * view.height) / view.width)) }
    : { width: Math.max(1, Math.floor((shortest * view.width) / view.height)), height: shortest }
}

/** The `window` of `view` at a new size: horizontal pass, rounding to 8 bits, vertical pass, as Pillow does. */
export const resized = (
  view: View,
  size: Size,
  filter: Filter,
  memory: Scratch,
  window: Window = { left: 0, top: 0, ...size },
): View => {
  const { left, top, width, height } = window
  if (size.width === view.width && size.height === view.height)
    return windowOf(view, left, top, width, height)
  if (filter === 'nearest') return nearest(view, size, window, memory)
  const table = (from: number, to: number): Weights =>
    memory.memo(`${filter} ${from} ${to}`, () => weightsFor(filter, from, to))

  const down = size.height === view.height ? undefined : table(view.height, size.height)
  const firstRow = down === undefined ? top : (down.starts[top] as number)
  const last = top + height - 1
  const endRow =
    down === undefined ? top + height : (down.starts[last] as number) + (down.counts[last] as number)

  const rows = endRow - firstRow
  const middle = memory.bytes('resize rows', rows * width * 3, view.data)
  if (size.width === view.width) pack(windowOf(view, left, firstRow, width, rows), middle)
  else
    horizontal(
      windowOf(view, 0, firstRow, view.width, rows),
      table(view.width, size.width),
      left,
      width,
      middle,
      memory,
    )
  if (down === undefined) return packedView(middle, width, height)

  const out = memory.bytes('resize', height * width * 3, view.data)
  vertical(middle, width * 3, down, firstRow, top, height, out)
  return packedView(out, width, height)
}

/** Rows gathered at a time from a picture that lies on its side: one cache line holds the same column of about as many. */
const gatheredRows = 16

function horizontal(
  view: View,
  table: Weights,
  left: number,
  width: number,
  out: Uint8Array,
  memory: Scratch,
): void {
  if (Math.abs(view.stepX) <= Math.abs(view.stepY)) return horizontalRows(view, table, left, width, out, 0)
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
  const g = view.channels < 3 ? 0 : 1
  const b = view.channels < 3 ? 0 : 2
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
  const g = view.channels < 3 ? 0 : 1
  const b = view.channels < 3 ? 0 : 2
  let o = at
  for (let y = 0; y < height; y++) {
    const row = view.offset + y * stepY
    for (let x = left; x < left + width; x++) {
      let red = half
      let green = half
      let blue = half
      let p = row + (starts[x] as number) * stepX
      const end = x * stride + (counts[x] as number)
      for (let k = x * stride; k < end; k++) {
        const weight = values[k] as number
        red += (data[p] as number) * weight
        green += (data[p + g] as number) * weight
        blue += (data[p + b] as number) * weight
        p += stepX
      }
      out[o] = clip(red)
      out[o + 1] = clip(green)
      out[o + 2] = clip(blue)
      o += 3
    }
  }
}

/** `rows` holds the source from row `firstRow` on, `rowBytes` bytes a row. */
function vertical(
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
      let p = from + x
      for (let k = y * stride; k < end; k++) {
        sum += (rows[p] as number) * (values[k] as number)
        p += rowBytes
      }
      out[o++] = clip(sum)
    }
  }
}

function clip(sum: number): number {
  const value = sum >> precisionBits
  return value < 0 ? 0 : value > 255 ? 255 : value
}
