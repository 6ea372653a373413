/// <reference lib="esnext.disposable" preserve="true" />
import type { SpanContext } from '@tandem/telemetry'
import type { ErrorCode } from './error.js'
import type { DType, Tensor } from './tensor.js'

/** What a model takes and gives, for those who want types: `load<{ inputs: { x: Tensor<'float32'> }; outputs: … }>(url)`. */
export interface Model {
  inputs: Record<string, Tensor>
  outputs: Record<string, Tensor>
}

export type Feeds<M extends Model = Model> = { readonly [Name in keyof M['inputs']]: M['inputs'][Name] }
export type Outputs<M extends Model = Model> = { readonly [Name in keyof M['outputs']]: M['outputs'][Name] }

/** Where the work is done. */
export type Place = 'local' | 'remote'

/** A graph input or output. A string in `shape` is a symbolic dimension, shared by name; the empty string fits anything. */
export interface Port {
  readonly name: string
  readonly dtype: DType
  readonly shape: readonly (number | string)[]
}

/** One target that was tried, for loading or for a run. */
export interface Attempt {
  /** `local`, `remote`, or an execution device while loading. */
  readonly target: string
  readonly device: string
  readonly outcome: 'ok' | 'failed' | 'skipped' | 'aborted'
  readonly code?: ErrorCode | undefined
  /** A sentence for people: why it failed or was passed over. */
  readonly reason?: string | undefined
  readonly durationMs: number
  readonly timings?: Timings | undefined
}

/** Where a session runs, with what, and why. */
export interface SessionInfo {
  /** The model's name: the last part of its URL or path without the extension, unless `name` was given. */
  readonly model: string
  readonly place: Place
  /** The execution device: `wasm`, `webgpu`, `cpu`, `cuda` …; for a remote session `remote`. */
  readonly device: string
  /** One sentence: why this device. */
  readonly why: string
  /** Devices or targets tried before and including the one in use. */
  readonly attempts: readonly Attempt[]
  /** Milliseconds: fetching the model, creating the session. Null where it did not happen here. */
  readonly load: { readonly downloadMs: number | null; readonly createMs: number | null }
  /** Threads of the runtime, with the reason when fewer than asked. */
  readonly threads?:
    | { readonly requested: number; readonly actual: number; readonly reason: string }
    | undefined
  /** The runtime's name and version, e.g. `onnxruntime-web 1.30.0`. */
  readonly runtime: string
}

export interface RunOptions {
  /** Rejects with `signal.reason`, untouched. */
  readonly signal?: AbortSignal | undefined
  /** Rejects with DEADLINE after so many milliseconds. */
  readonly deadlineMs?: number | undefined
  /** Names of the outputs wanted; all by default. */
  readonly outputs?: readonly string[] | undefined
  /** Higher runs first among queued calls; 0 by default. */
  readonly priority?: number | undefined
  /** Moves the feeds' buffers away, at once, instead of copying them; what can't be moved without harm is copied. */
  readonly transfer?: boolean | undefined
  /** Joins preprocessing, run and server in one trace. */
  readonly trace?: SpanContext | undefined
  /** Names the call to a server and in its answer (`x-request-id`); `hybrid` makes one and keeps it for every place it tries. */
  readonly requestId?: string | undefined
}

/** Milliseconds. Null: unknown or did not happen, never 0. */
export interface Timings {
  /** Wall time of the whole call. */
  readonly total: number
  readonly queue: number | null
  readonly preprocess: number | null
  readonly input: number | null
  readonly inference: number | null
  readonly output: number | null
  readonly postprocess: number | null
  readonly network: number | null
  /** Rows of the batch that this call was computed in. */
  readonly batchSize: number
  /** This call's share of its batch: inference × rows / batch rows. */
  readonly computeShare: number | null
  readonly cache: 'none' | 'hit' | 'miss' | 'coalesced'
}

export interface RunResult<M extends Model = Model, P extends Place = Place> {
  readonly outputs: Outputs<M>
  readonly place: P
  readonly timings: Timings
  readonly attempts: readonly Attempt[]
}

/** The one noun: a model that can be run, wherever it is. */
export interface Session<M extends Model = Model, P extends Place = Place> extends AsyncDisposable {
  readonly info: SessionInfo & { readonly place: P }
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  /**
   * A local session in a worker has copied the feeds when this returns, and a buffer may be filled anew at once; others may
   * read them until it settles.
   *
   * @throws InferenceError, or `options.signal.reason`
   */
  run(feeds: Feeds<M>, options?: RunOptions): Promise<RunResult<M, P>>
  /** Lets running calls end, rejects queued ones with DISPOSED, then releases. Twice is once. */
  dispose(options?: DisposeOptions): Promise<void>
}

export interface DisposeOptions {
  /** Also ends the realm, which gives its memory back, when it holds nothing else. */
  readonly reclaim?: boolean | undefined
}
