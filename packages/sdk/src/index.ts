// What both entries give; each adds its own load().

// Making a session

export type { Device, DeviceRequest } from './devices.js'
export { hybrid } from './hybrid/hybrid.js'
export type { EitherPlace, HybridOptions, InCloudOnly, Mode, OnDeviceOnly, Source } from './hybrid/options.js'
export type { LoadOptions } from './load.js'
export type { RemoteOptions } from './remote/options.js'
export { remote } from './remote/remote.js'
export type { Progress } from './source/download.js'
export type { ModelSource } from './source/source.js'

// Running it

export type { LocalSession } from './local.js'
export { output } from './output.js'
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

// Tensors

export { fromFloat16, toFloat16 } from './float16.js'
export type { DType, Tensor, TensorData, TensorValues } from './tensor.js'
export { dtypes, tensor } from './tensor.js'
export type { ValidateOptions } from './validate.js'
export { validateFeeds } from './validate.js'

// What goes wrong

export type { ErrorCode, ErrorData } from './error.js'
export { errorCodes, InferenceError } from './error.js'
