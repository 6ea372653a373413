import type { Port } from '../session.js'
import type { DType, TensorData } from '../tensor.js'
import type { WireError } from './error.js'

/** What a realm does, one thing at a time. `host.ts` does it; the caller's side reaches it directly or through comlink. */
export interface RealmHost {
  create(request: CreateRequest): Promise<Answer<Created>>
  run(request: RunRequest): Promise<Answer<Ran>>
  release(session: number): Promise<Answer<null>>
}

/** What a worker offers beside the host. */
export interface WorkerHost extends RealmHost {
  /** Answers as soon as it can; in browsers it then holds this Web Lock, by which its death is noticed. */
  watch(lock: string): Promise<void>
}

/** Failures travel as values: comlink would flatten a thrown one. */
export interface Answer<T> {
  readonly value?: T
  /** Present when it failed. */
  readonly error?: WireError
}

export interface CreateRequest {
  /** The model's name, for messages. */
  readonly name: string
  /** Its bytes, or (in Node) the path of its file. */
  readonly model: Uint8Array | string
  /** onnxruntime's name of the execution provider. */
  readonly device: string
  readonly runtime: RuntimeRequest
  /** Further session options of onnxruntime, as they are. */
  readonly options: Readonly<Record<string, unknown>>
}

/** Which file of the runtime to load, and how. */
export interface RuntimeRequest {
  readonly asset: string
  /** Where its files are served, if not beside the script that loads them. */
  readonly base: string | undefined
  readonly threads: number | undefined
}

export interface Created {
  readonly session: number
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  /** Name and version, e.g. `onnxruntime-node 1.30.0`. */
  readonly runtime: string
}

export interface RunRequest {
  readonly session: number
  readonly feeds: readonly WireTensor[]
  readonly outputs: readonly string[] | undefined
  /** Buffers that go back to the caller's pool. */
  readonly borrowed: readonly ArrayBuffer[]
}

/** A named tensor. Lists of these, not objects: a name may be anything, `__proto__` and `1` included. */
export interface WireTensor {
  readonly name: string
  readonly dtype: DType
  readonly shape: readonly number[]
  readonly data: TensorData[DType]
}

export interface Ran {
  readonly outputs: readonly WireTensor[]
  readonly borrowed: readonly ArrayBuffer[]
  /** When the request arrived and when the answer left, on the clock that threads share (ms). */
  readonly arrivedAt: number
  readonly leftAt: number
  /** Milliseconds of handing the feeds to the runtime, of running, of taking the outputs out. */
  readonly inputMs: number
  readonly inferenceMs: number
  readonly outputMs: number
}
