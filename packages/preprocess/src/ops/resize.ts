import { moved, scaled } from '../geometry.js'
import { pack, packedView, type View, windowOf } from '../pixels.js'
import { refusal } from '../refusal.js'
import type { Scratch } from '../scratch.js'
import { crop, cropStart } from './crop.js'
import { type Filter, type Weights, weightsFor } from './filters.js'
import type { Frame, ImageOp } from './frame.js'
import { nearest } from './nearest.js'
import { horizontal, vertical } from './passes.js'

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
  if (cropped === undefined && size.width * size.height > maxPixels) {
    throw refusal(
      `the picture of ${view.width} × ${view.height} pixels would become ${size.width} × ${size.height}, too many: crop it, or resize it to exact sides`,
      { width: size.width, height: size.height, maxPixels },
    )
  }
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

/** A strip of 1 × 10000 with its shorter side made 256 would be 655 million pixels. */
const maxPixels = 100_000_000

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
