import type { RuntimeRequest } from '../realm/protocol.js'

/** The part of onnxruntime that we use; onnxruntime-web and onnxruntime-node both have it. */
export interface Ort {
  readonly InferenceSession: {
    create(model: Uint8Array, options?: Readonly<Record<string, unknown>>): Promise<OrtSession>
    create(path: string, options?: Readonly<Record<string, unknown>>): Promise<OrtSession>
  }
  readonly Tensor: new (type: string, data: never, dims: readonly number[]) => OrtTensor
}

export interface OrtSession {
  readonly inputMetadata: readonly OrtMetadata[]
  readonly outputMetadata: readonly OrtMetadata[]
  run(feeds: OrtTensors, fetches?: readonly string[]): Promise<OrtTensors>
  release(): Promise<void>
}

type OrtTensors = { readonly [name: string]: OrtTensor }

export interface OrtTensor {
  readonly type: string
  readonly dims: readonly number[]
  readonly data: unknown
  dispose?(): void
}

export interface OrtMetadata {
  readonly name: string
  readonly isTensor: boolean
  readonly type?: string
  readonly shape?: readonly (number | string)[]
}

/** A loaded runtime. */
export interface Runtime {
  readonly ort: Ort
  /** Name and version. */
  readonly name: string
}

/**
 * Loads the runtime that was asked for.
 *
 * @throws InferenceError DEVICE_UNAVAILABLE when its package is not installed, with the command that installs it
 */
export type OpenRuntime = (request: RuntimeRequest) => Promise<Runtime>
