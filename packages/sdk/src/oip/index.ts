// The Open Inference Protocol, version 2, over HTTP: one codec for both sides.

export { type WireType, wireType } from './datatype.js'
export { portMetadata, readPorts } from './metadata.js'
export {
  decodeRequest,
  encodeRequest,
  type InferRequest,
  type NamedTensor,
  type RequestedOutput,
} from './request.js'
export { decodeResponse, encodeResponse, type InferAnswer, type InferResponse } from './response.js'
export {
  binaryExtension,
  type Encoded,
  type ErrorBody,
  jsonLengthHeader,
  type ModelMetadata,
  type Parameters,
  type ParameterValue,
  type ServerMetadata,
  type TensorMetadata,
} from './wire.js'
