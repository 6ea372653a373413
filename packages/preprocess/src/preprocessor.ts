/// <reference lib="esnext.disposable" preserve="true" />
import type { Tensor } from '@tandem/sdk'
import type { Recorder, SpanContext } from '@tandem/telemetry'
import { invalid, oneOf, onlyKeys, show, whole } from './check.js'
import type { AudioSource, ImageSource } from './execute.js'
import { inverse, type ToSource } from './geometry.js'
import { type AudioInput, checkInput, type ImageInput, type Input, packInput } from './input.js'
import type { AudioPlan, ImageDType, ImagePlan, Plan } from './plan.js'
import type { Platform } from './platform.js'
import { inlineLane, workerLane } from './pool/lane.js'
import { type Pooled, pool } from './pool/pool.js'
import { observed } from './span.js'

export interface PreprocessorOptions {
  /** `worker` by default; `inline` for those who are in a worker already. */
  readonly host?: 'worker' | 'inline' | undefined
  /** At most so many workers; by default one less than the machine has cores, up to 4. */
  readonly workers?: number | undefined
  /** Jobs that may wait for a worker before QUEUE_FULL; 64 by default. */
  readonly maxQueue?: number | undefined
  /** Where the worker's script is, for bundlers that do not follow `new Worker(new URL(…))`. */
  readonly workerUrl?: string | URL | undefined
  /** Takes a `preprocess` span a run. Without it, the recorder of the run's `trace` does. */
  readonly telemetry?: Recorder | undefined
}

export interface PreprocessOptions {
  /** Joins this run to a trace. */
  readonly trace?: SpanContext | undefined
  /** Rejects with `signal.reason`, at once. */
  readonly signal?: AbortSignal | undefined
  /** Moves the input's buffer to the worker instead of copying it. */
  readonly transfer?: boolean | undefined
}

/** Milliseconds. Null: did not happen. */
export interface PreprocessTimings {
  /** Wall time of the whole call. */
  readonly total: number
  /** Waiting for a worker. */
  readonly queue: number | null
  /** From the file's bytes to pixels or samples: a part of `preprocess`. */
  readonly decode: number | null
  /** Decoding and all ops. What is left of `total` are the messages. */
  readonly preprocess: number
}

export interface ImageResult<Name extends string = string, D extends ImageDType = ImageDType> {
  readonly feeds: { readonly [K in Name]: Tensor<D> }
  /** The picture's size, upright. */
  readonly source: ImageSource
  /** A point or box in pixels of the model's input, back in pixels of the upright source. It may lie outside. */
  readonly toSource: ToSource
  readonly timings: PreprocessTimings
}

export interface AudioResult<Name extends string = string> {
  /** Shape [channels, samples]. */
  readonly feeds: { readonly [K in Name]: Tensor<'float32'> }
  readonly source: AudioSource
  readonly timings: PreprocessTimings
}

export interface Preprocessor extends AsyncDisposable {
  /**
   * From a picture or a recording to a model's feeds. The feeds' memory is the caller's.
   * @throws INVALID_INPUT, QUEUE_FULL, REALM_CRASHED, DISPOSED, UNSUPPORTED (a decoder is not installed), or `signal.reason`
   */
  run<Name extends string, D extends ImageDType>(
    plan: ImagePlan<Name, D>,
    input: ImageInput,
    options?: PreprocessOptions,
  ): Promise<ImageResult<Name, D>>
  run<Name extends string>(
    plan: AudioPlan<Name>,
    input: AudioInput,
    options?: PreprocessOptions,
  ): Promise<AudioResult<Name>>
  /** Lets running jobs end, rejects waiting ones with DISPOSED, then ends the workers. Twice is once. */
  dispose(): Promise<void>
}

const maxWorkers = 64

export const preprocessorOn = (platform: Platform, options: PreprocessorOptions): Preprocessor => {
  onlyKeys('preprocessor()', options, ['host', 'workers', 'maxQueue', 'workerUrl', 'telemetry'])
  const { workerUrl, telemetry } = options
  const kind = oneOf('preprocessor().host', options.host ?? 'worker', ['worker', 'inline'])
  const workers = whole('preprocessor().workers', options.workers ?? platform.workers, 1, maxWorkers)
  const maxQueue = whole('preprocessor().maxQueue', options.maxQueue ?? 64, 0, Number.MAX_SAFE_INTEGER)
  const lanes =
    kind === 'inline'
      ? pool(() => inlineLane(platform), { workers: 1, maxQueue })
      : pool(() => workerLane(platform.startWorker(workerUrl)), { workers, maxQueue })

  const pooled = async (plan: Plan, input: Input, options: PreprocessOptions): Promise<Pooled> => {
    checkPlan(plan)
    checkInput(plan.kind, input)
    options.signal?.throwIfAborted()
    const packed = kind === 'inline' ? { input, transfer: [] } : packInput(input, options.transfer === true)
    return lanes.run(plan, packed, options.signal)
  }

  async function run<Name extends string, D extends ImageDType>(
    plan: ImagePlan<Name, D>,
    input: ImageInput,
    options?: PreprocessOptions,
  ): Promise<ImageResult<Name, D>>
  async function run<Name extends string>(
    plan: AudioPlan<Name>,
    input: AudioInput,
    options?: PreprocessOptions,
  ): Promise<AudioResult<Name>>
  async function run(
    plan: Plan,
    input: Input,
    options: PreprocessOptions = {},
  ): Promise<ImageResult | AudioResult> {
    const startMs = performance.now()
    const { done, queueMs } = await observed(telemetry ?? options.trace?.recorder, options, input, () =>
      pooled(plan, input, options),
    )
    const timings: PreprocessTimings = {
      total: performance.now() - startMs,
      queue: queueMs,
      decode: done.decodeMs,
      preprocess: done.preprocessMs,
    }
    if (done.kind === 'audio') return { feeds: { [plan.input]: done.tensor }, source: done.source, timings }
    return { feeds: { [plan.input]: done.tensor }, source: done.source, toSource: inverse(done.map), timings }
  }

  const dispose = (): Promise<void> => lanes.dispose()
  return { run, dispose, [Symbol.asyncDispose]: dispose }
}

/** A plan made by image() or audio() is right; one out of a file may be anything. */
function checkPlan(plan: Plan): void {
  const kind: unknown = typeof plan === 'object' && plan !== null ? plan.kind : plan
  if (kind === 'image' || kind === 'audio') return
  throw invalid('plan', `must come from image() or audio(), got ${show(kind)}`)
}
