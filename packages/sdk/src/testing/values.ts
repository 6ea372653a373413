import { toFloat16 } from '../float16.js'
import { type DType, type Tensor, tensor } from '../tensor.js'

/** Values of every dtype that wrapping, rounding or re-encoding would change. */
export function edgeValues(dtype: DType): Tensor {
  switch (dtype) {
    case 'float32':
      return tensor(
        dtype,
        new Float32Array([0, -0, 1.5, 3.4028234663852886e38, 1.401298464324817e-45, -1 / 3]),
      )
    case 'float64':
      return tensor(dtype, new Float64Array([0, -0, Math.PI, Number.MAX_VALUE, 5e-324, -1 / 3]))
    case 'float16':
      return tensor(dtype, toFloat16([0, -0, 1.5, 65504, 2 ** -24, -1 / 3]))
    case 'int8':
      return tensor(dtype, [-128, -1, 0, 1, 127])
    case 'int16':
      return tensor(dtype, [-32768, -1, 0, 1, 32767])
    case 'int32':
      return tensor(dtype, [-(2 ** 31), -1, 0, 1, 2 ** 31 - 1])
    case 'int64':
      return tensor(dtype, [-(2n ** 63n), -1n, 0n, 2n ** 40n, 2n ** 53n + 1n, 2n ** 63n - 1n])
    case 'uint8':
      return tensor(dtype, [0, 1, 127, 128, 255])
    case 'uint16':
      return tensor(dtype, [0, 1, 32768, 65535])
    case 'uint32':
      return tensor(dtype, [0, 1, 2 ** 31, 2 ** 32 - 1])
    case 'uint64':
      return tensor(dtype, [0n, 1n, 2n ** 63n, 2n ** 64n - 1n])
    case 'bool':
      return tensor(dtype, [true, false, true])
    case 'string':
      return tensor('string', ['', 'plain', 'grüße', '日本語 \u{1f30d}', 'two\nlines', '"quoted"'])
  }
}

/** The same values in another shape. */
export function reshaped(value: Tensor, shape: readonly number[], length: number): Tensor {
  return { ...value, shape, data: value.data.slice(0, length) } as Tensor
}
