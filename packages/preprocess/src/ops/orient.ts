import type { View } from '../pixels.js'
import type { ImageOp } from './frame.js'

/** Turns the picture as its EXIF orientation says. */
export interface Orient {
  readonly op: 'orient'
}

/** The view in which EXIF orientation `tag` (1 to 8; anything else means 1) stands upright. No pixel is moved. */
const oriented = (view: View, tag: number): View => {
  const { width, height, stepX, stepY } = view
  const right = (width - 1) * stepX
  const bottom = (height - 1) * stepY
  const at = (skip: number, x: number, y: number): View => ({
    ...view,
    offset: view.offset + skip,
    stepX: x,
    stepY: y,
    ...(tag >= 5 ? { width: height, height: width } : {}),
  })
  switch (tag) {
    case 2:
      return at(right, -stepX, stepY)
    case 3:
      return at(right + bottom, -stepX, -stepY)
    case 4:
      return at(bottom, stepX, -stepY)
    case 5:
      return at(0, stepY, stepX)
    case 6:
      return at(bottom, -stepY, stepX)
    case 7:
      return at(right + bottom, -stepY, -stepX)
    case 8:
      return at(right, stepY, -stepX)
    default:
      return view
  }
}

export const orient: ImageOp<Orient> = (frame) => ({
  ...frame,
  view: oriented(frame.view, frame.orientation),
  orientation: 1,
})
