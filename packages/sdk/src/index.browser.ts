export type { ErrorCode, ErrorData } from './error.js'
export { errorCodes, InferenceError } from './error.js'
export { hybrid } from './hybrid/hybrid.js'
export type { EitherPlace, HybridOptions, InCloudOnly, Mode, OnDeviceOnly, Source } from './hybrid/options.js'
export { modes } from './hybrid/options.js'
export type {
  Attempt,
  DisposeOptions,
  Feeds,
  Model,
  Outputs,
  Place,
  Port,
  RunOptions,
  RunResult,
  Session,
  SessionInfo,
  Timings,
} from './session.js'
export type { DType, Tensor, TensorData } from './tensor.js'
