import type { Pixels } from '../src/pixels.js'

/** Where a stored picture's first row and first column are seen, by EXIF orientation (the standard's table). */
const seen = {
  1: ['top', 'left'],
  2: ['top', 'right'],
  3: ['bottom', 'right'],
  4: ['bottom', 'left'],
  5: ['left', 'top'],
  6: ['right', 'top'],
  7: ['right', 'bottom'],
  8: ['left', 'bottom'],
} as const

export type Orientation = keyof typeof seen
export const orientations: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8]

/** How RGB pixels are stored so that this orientation shows them upright. */
export const stored = (upright: Pixels, orientation: Orientation): Pixels & { readonly channels: 3 } => {
  const [firstRow, firstColumn] = seen[orientation]
  const lies = orientation >= 5
  const { width, height, data } = upright
  const size = lies ? { width: height, height: width } : { width, height }
  const out = new Uint8Array(data.length)
  /** A stored row or column as the visible x or y that it stands for. */
  const place = (index: number, edge: 'top' | 'left' | 'bottom' | 'right', length: number): number =>
    edge === 'top' || edge === 'left' ? index : length - 1 - index
  for (let row = 0; row < size.height; row++) {
    for (let column = 0; column < size.width; column++) {
      const x = lies ? place(row, firstRow, width) : place(column, firstColumn, width)
      const y = lies ? place(column, firstColumn, height) : place(row, firstRow, height)
      const from = (y * width + x) * 3
      out.set(data.subarray(from, from + 3), (row * size.width + column) * 3)
    }
  }
  return { ...size, channels: 3, data: out }
}
