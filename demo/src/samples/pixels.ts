/** A colour of the pictures that are drawn here: red, green, blue, each 0 … 1. */
export type Colour = readonly [number, number, number]

/** A picture as the image plan takes it: RGBA rows from the top. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray<ArrayBuffer>
}

/** 0 below `from`, 1 above `to`, smooth between; `from` may lie above `to`. */
export function smooth(from: number, to: number, x: number): number {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)))
  return t * t * (3 - 2 * t)
}

export function mix(a: Colour, b: Colour, t: number): Colour {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]
}

export function scale(colour: Colour, by: number): Colour {
  return [colour[0] * by, colour[1] * by, colour[2] * by]
}

/** A round hill of height 1 at (x0, y0). */
export function hill(x: number, y: number, x0: number, y0: number, rx: number, ry: number): number {
  return Math.exp(-(((x - x0) / rx) ** 2) - ((y - y0) / ry) ** 2)
}

/** Less than 1 inside the ellipse, 1 on it, more outside. */
export function ellipse(x: number, y: number, x0: number, y0: number, rx: number, ry: number): number {
  return Math.hypot((x - x0) / rx, (y - y0) / ry)
}

/** A repeatable grain in 0 … 1: the same picture on every machine. */
export function grain(x: number, y: number): number {
  let h = (Math.imul(x, 374761393) + Math.imul(y, 668265263)) | 0
  h = Math.imul(h ^ (h >>> 13), 1274126177)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

/** Paints a picture whose shorter side spans −1 … 1 around the middle, y downwards. */
export function paint(width: number, height: number, colourAt: (x: number, y: number) => Colour): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  const unit = 2 / Math.min(width, height)
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const colour = colourAt((column + 0.5 - width / 2) * unit, (row + 0.5 - height / 2) * unit)
      const noise = (grain(column, row) - 0.5) * 0.018
      const at = (row * width + column) * 4
      data[at] = 255 * (colour[0] + noise)
      data[at + 1] = 255 * (colour[1] + noise)
      data[at + 2] = 255 * (colour[2] + noise)
      data[at + 3] = 255
    }
  }
  return { width, height, data }
}
