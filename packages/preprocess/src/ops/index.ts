import { type Composite, composite } from './composite.js'
import { type Crop, crop } from './crop.js'
import type { ImageOp } from './frame.js'
import { type Letterbox, letterbox } from './letterbox.js'
import { type Mix, mix } from './mix.js'
import { type Orient, orient } from './orient.js'
import { type Resample, resample } from './resample.js'
import { type Resize, resize } from './resize.js'
import type { AudioOp } from './signal.js'

/** What a step on pictures looks like in a plan, under its op's name. */
export interface ImageSteps {
  readonly orient: Orient
  readonly composite: Composite
  readonly resize: Resize
  readonly crop: Crop
  readonly letterbox: Letterbox
}
export type ImageOps = { readonly [Op in keyof ImageSteps]: ImageOp<ImageSteps[Op]> }
export const imageOps: ImageOps = { orient, composite, resize, crop, letterbox }

/** What a step on recordings looks like in a plan. */
export interface AudioSteps {
  readonly mix: Mix
  readonly resample: Resample
}
export type AudioOps = { readonly [Op in keyof AudioSteps]: AudioOp<AudioSteps[Op]> }
export const audioOps: AudioOps = { mix, resample }
