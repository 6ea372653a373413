// What both entries give; each adds its own preprocessor().

// Plans

export type { AudioOptions } from './audio.js'
export { audio } from './audio.js'
export type { ImageOptions } from './image.js'
export { image } from './image.js'
export type { AudioPlan, AudioStep, ImageDType, ImagePlan, ImageStep, Plan } from './plan.js'

// Running them

export type { AudioSource, ImageSource } from './execute.js'
export type { Box, Point, ToSource } from './geometry.js'
export type { AudioInput, Bitmap, ImageInput } from './input.js'
export type { Signal } from './ops/signal.js'
export type { Pixels } from './pixels.js'
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

// Around the model

export type { FrameOptions } from './frames.js'
export { frames } from './frames.js'
export type { NmsOptions } from './post/nms.js'
export { nms } from './post/nms.js'
export { sigmoid } from './post/sigmoid.js'
export { softmax } from './post/softmax.js'
export type { Ranked } from './post/topk.js'
export { topK } from './post/topk.js'
