import type { AudioSteps, ImageSteps } from './ops/index.js'
import type { ToTensor } from './ops/tensor.js'

/** One op and its options. */
export type ImageStep<Op extends keyof ImageSteps = keyof ImageSteps> = { [K in Op]: ImageSteps[K] }[Op]
export type AudioStep<Op extends keyof AudioSteps = keyof AudioSteps> = { [K in Op]: AudioSteps[K] }[Op]

/** What an image plan's tensor may hold. */
export type ImageDType = ToTensor['dtype']

/** From a picture to a model's input, as plain data: it crosses to a worker, to a server and into a file. */
export interface ImagePlan<Name extends string = string, D extends ImageDType = ImageDType> {
  readonly kind: 'image'
  /** The name of the model's input. */
  readonly input: Name
  readonly dtype: D
  /** Pictures with more pixels are refused before anything is allocated for them. */
  readonly maxPixels: number
  readonly steps: readonly ImageStep[]
  /** The last step: normalise and lay out, in one pass. */
  readonly tensor: ToTensor
}

/** From a recording to a model's input, as plain data. */
export interface AudioPlan<Name extends string = string> {
  readonly kind: 'audio'
  readonly input: Name
  /** Hz of the samples that the model gets. */
  readonly sampleRate: number
  readonly steps: readonly AudioStep[]
}

export type Plan = ImagePlan | AudioPlan
