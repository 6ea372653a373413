import { moved, scaled } from '../geometry.js'
import { roundHalfEven } from '../math.js'
import { onCanvas } from './crop.js'
import type { Filter } from './filters.js'
import type { ImageOp } from './frame.js'
import { resized } from './resize.js'

/** Scales the whole picture into a box without distorting it, and fills the rest with one colour. */
export interface Letterbox {
  readonly op: 'letterbox'
  readonly width: number
  readonly height: number
  readonly filter: Filter
  readonly fill: readonly [number, number, number]
  readonly anchor: 'center' | 'top-left'
}

export const letterbox: ImageOp<Letterbox> = (frame, step, memory) => {
  const { view } = frame
  const scale = Math.min(step.width / view.width, step.height / view.height)
  const width = Math.max(1, roundHalfEven(view.width * scale))
  const height = Math.max(1, roundHalfEven(view.height * scale))
  const centered = step.anchor === 'center'
  const left = centered ? Math.floor((step.width - width) / 2) : 0
  const top = centered ? Math.floor((step.height - height) / 2) : 0
  const inner = resized(view, { width, height }, step.filter, memory)
  const map = moved(scaled(frame.map, width / view.width, height / view.height), left, top)
  return { ...frame, view: onCanvas(inner, step, { left, top }, step.fill, memory), map }
}
