import type { Mapping } from '../geometry.js'
import type { View } from '../pixels.js'
import type { Scratch } from '../scratch.js'

/** A picture on its way through a plan. */
export interface Frame {
  readonly view: View
  /** The EXIF orientation that still has to be applied: 1 to 8. */
  readonly orientation: number
  /** From the upright source to this view. */
  readonly map: Mapping
}

/** One step of an image plan: pure, apart from the scratch memory that its result may lie in until the op's next call. */
export type ImageOp<Step> = (frame: Frame, step: Step, memory: Scratch) => Frame
