import type { InferenceError } from '../error.js'

/** What `parameters` members may hold. */
export type ParameterValue = string | number | boolean
export type Parameters = { readonly [name: string]: ParameterValue }

/** `GET /v2` */
export interface ServerMetadata {
  readonly name: string
  readonly version: string
  readonly extensions: readonly string[]
}

/** A tensor's description. −1 in `shape` is any size. */
export interface TensorMetadata {
  readonly name: string
  readonly datatype: string
  readonly shape: readonly number[]
  /** Ours, and ignored by others: `shape` with the names of symbolic dimensions, so that a client can check what inputs share. */
  readonly dims?: readonly (number | string)[] | undefined
}

/** `GET /v2/models/NAME[/versions/VERSION]` */
export interface ModelMetadata {
  readonly name: string
  readonly versions: readonly string[]
  readonly platform: string
  readonly inputs: readonly TensorMetadata[]
  readonly outputs: readonly TensorMetadata[]
}

/** The body of every answer that is not a success. */
export interface ErrorBody {
  readonly error: string
  readonly code: string
  /** The member at fault, such as `inputs[0].data[17]`. */
  readonly path?: string | undefined
}

/** The extension's name in {@link ServerMetadata.extensions}: tensors as bytes behind the JSON. */
export const binaryExtension = 'binary_tensor_data'

/** Says how many bytes of a body are JSON; what follows are the binary tensors, in the order of the JSON. */
export const jsonLengthHeader = 'inference-header-content-length'

/** A message ready to be sent. */
export interface Encoded {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: { readonly [name: string]: string }
}

/** Makes the error for the member at `path`: INVALID_INPUT for a request, REMOTE for an answer. */
export type Fail = (path: string, message: string) => InferenceError
