/** The element type of each dtype's data. float16 is bits; bool is 0 or 1. */
export interface TensorData {
  float32: Float32Array
  float64: Float64Array
  float16: Uint16Array
  int8: Int8Array
  int16: Int16Array
  int32: Int32Array
  int64: BigInt64Array
  uint8: Uint8Array
  uint16: Uint16Array
  uint32: Uint32Array
  uint64: BigUint64Array
  bool: Uint8Array
  string: readonly string[]
}

/** onnxruntime's names for what a tensor holds. */
export type DType = keyof TensorData

/** Plain data: row-major values and their shape. May be used for any number of runs. `[]` is a scalar. */
export type Tensor<D extends DType = DType> = {
  [K in D]: { readonly dtype: K; readonly shape: readonly number[]; readonly data: TensorData[K] }
}[D]
