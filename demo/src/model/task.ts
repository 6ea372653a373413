import type { Preprocessor } from '@tandem/preprocess'
import type { RunResult, Session, Tensor } from '@tandem/sdk'
import type { SpanContext } from '@tandem/telemetry'
import type { Face } from './blazeface.js'

export type ModelName = 'blazeface' | 'silero_vad'

export type Answer =
  | {
      readonly kind: 'faces'
      /** In pixels of the picture. */
      readonly faces: readonly Face[]
      /** The best score of all anchors, 0 … 1. */
      readonly best: number
    }
  | {
      readonly kind: 'speech'
      /** One for each chunk of 32 ms, 0 … 1; NaN for what has not been heard yet. */
      readonly probabilities: Float32Array
    }

export interface PassOptions {
  readonly pre: Preprocessor
  readonly signal: AbortSignal
  readonly trace?: SpanContext | undefined
  /** Hears of each call of the model, the `index`th of `calls`; a recording takes many. `soFar` is what they found until now. */
  onCall(result: RunResult, index: number, calls: number, soFar?: () => Answer): void
}

/** One run over a whole input. */
export interface Pass {
  readonly answer: Answer
  /** Milliseconds; null: nothing to do. */
  readonly preprocessMs: number
  readonly postprocessMs: number | null
}

/** What a model is for, and how it is run on an input. */
export interface Task {
  readonly model: ModelName
  readonly title: string
  /** The name of a run's trace. */
  readonly verb: string
  readonly about: string
  /** For the file chooser. */
  readonly accept: string
  /** Where the page has the model's file. */
  readonly file: string
  /** How many passes are worth it by default, and at most. */
  readonly runs: number
  readonly maxRuns: number
  /** The outputs of one call that are compared with the reference. @throws InferenceError when one is missing */
  compared(result: RunResult): readonly Tensor[]
  /** @throws InferenceError, or `options.signal.reason` */
  pass(session: Session, input: Blob, options: PassOptions): Promise<Pass>
}
