import { moved } from '../geometry.js'
import { roundHalfEven } from '../math.js'
import { pack, packedView, type View, windowOf } from '../pixels.js'
import type { Scratch } from '../scratch.js'
import type { ImageOp } from './frame.js'

/** Cuts the centre out, as torchvision's CenterCrop does; a smaller picture is centred on black. */
export interface Crop {
  readonly op: 'crop'
  readonly width: number
  readonly height: number
}

/** Where the crop begins in a side that is longer; minus the margin put before one that is shorter. */
export const cropStart = (side: number, cropped: number): number =>
  side >= cropped ? roundHalfEven((side - cropped) / 2) : -Math.floor((cropped - side) / 2)

/** `view` at (left, top) on a canvas of one colour. */
export const onCanvas = (
  view: View,
  canvas: { readonly width: number; readonly height: number },
  place: { readonly left: number; readonly top: number },
  fill: readonly [number, number, number],
  memory: Scratch,
): View => {
  const { width, height } = canvas
  const out = memory.bytes('canvas', width * height * 3, view.data)
  const [red, green, blue] = fill
  if (red === green && green === blue) out.fill(red, 0, width * height * 3)
  else {
    for (let p = 0; p < width * height * 3; p += 3) {
      out[p] = red
      out[p + 1] = green
      out[p + 2] = blue
    }
  }
  pack(view, out, (place.top * width + place.left) * 3, width * 3)
  return packedView(out, width, height)
}

export const crop: ImageOp<Crop> = (frame, step, memory) => {
  const { view } = frame
  const { width, height } = step
  const left = cropStart(view.width, width)
  const top = cropStart(view.height, height)
  const map = moved(frame.map, -left, -top)
  const inner = windowOf(
    view,
    Math.max(0, left),
    Math.max(0, top),
    Math.min(width, view.width),
    Math.min(height, view.height),
  )
  if (inner.width === width && inner.height === height) return { ...frame, view: inner, map }
  const place = { left: Math.max(0, -left), top: Math.max(0, -top) }
  return { ...frame, view: onCanvas(inner, { width, height }, place, [0, 0, 0], memory), map }
}
