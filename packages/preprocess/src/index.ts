// plans
export type { AudioOptions } from './audio.js'
export { audio } from './audio.js'
// running them
export type { AudioSource, ImageSource } from './execute.js'
export type { Box, Point, ToSource } from './geometry.js'
export type { ImageOptions } from './image.js'
export { image } from './image.js'
export type { AudioInput, Bitmap, ImageInput } from './input.js'
export type { Signal } from './ops/signal.js'
export type { Pixels } from './pixels.js'
export type { AudioPlan, AudioStep, ImageDType, ImagePlan, ImageStep, Plan } from './plan.js'
export type {
  AudioResult,
  ImageResult,
  PreprocessOptions,
  Preprocessor,
  PreprocessorOptions,
  PreprocessTimings,
} from './preprocessor.js'
export type { Recording } from './wav.js'
export { decodeWav } from './wav.js'
