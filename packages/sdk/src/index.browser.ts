export type { ErrorCode, ErrorData } from './error.js'
export { errorCodes, InferenceError } from './error.js'
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
