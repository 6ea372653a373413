import { arrayOf, type DType, type TensorData } from '../tensor.js'

/** A dtype on the wire. */
export interface WireType {
  readonly dtype: DType
  /** The Open Inference Protocol's name. */
  readonly datatype: string
  /** Bytes per element; 0 where elements carry their own length. */
  readonly bytes: number
  readonly kind: 'float' | 'half' | 'integer' | 'big' | 'bool' | 'bytes'
  /** The range of `integer` and `big`, inclusive. */
  readonly min: bigint
  readonly max: bigint
}

const float = { min: 0n, max: 0n } as const
const integer = (min: bigint, max: bigint): { readonly min: bigint; readonly max: bigint } => ({ min, max })

const wireTypes: { readonly [D in DType]: WireType } = {
  float32: { dtype: 'float32', datatype: 'FP32', bytes: 4, kind: 'float', ...float },
  float64: { dtype: 'float64', datatype: 'FP64', bytes: 8, kind: 'float', ...float },
  float16: { dtype: 'float16', datatype: 'FP16', bytes: 2, kind: 'half', ...float },
  int8: { dtype: 'int8', datatype: 'INT8', bytes: 1, kind: 'integer', ...integer(-128n, 127n) },
  int16: { dtype: 'int16', datatype: 'INT16', bytes: 2, kind: 'integer', ...integer(-32768n, 32767n) },
  int32: {
    dtype: 'int32',
    datatype: 'INT32',
    bytes: 4,
    kind: 'integer',
    ...integer(-(2n ** 31n), 2n ** 31n - 1n),
  },
  int64: {
    dtype: 'int64',
    datatype: 'INT64',
    bytes: 8,
    kind: 'big',
    ...integer(-(2n ** 63n), 2n ** 63n - 1n),
  },
  uint8: { dtype: 'uint8', datatype: 'UINT8', bytes: 1, kind: 'integer', ...integer(0n, 255n) },
  uint16: { dtype: 'uint16', datatype: 'UINT16', bytes: 2, kind: 'integer', ...integer(0n, 65535n) },
  uint32: { dtype: 'uint32', datatype: 'UINT32', bytes: 4, kind: 'integer', ...integer(0n, 2n ** 32n - 1n) },
  uint64: { dtype: 'uint64', datatype: 'UINT64', bytes: 8, kind: 'big', ...integer(0n, 2n ** 64n - 1n) },
  bool: { dtype: 'bool', datatype: 'BOOL', bytes: 1, kind: 'bool', ...integer(0n, 1n) },
  string: { dtype: 'string', datatype: 'BYTES', bytes: 0, kind: 'bytes', ...float },
}

const byDatatype: ReadonlyMap<string, WireType> = new Map(
  Object.values(wireTypes).map((type) => [type.datatype, type]),
)

/** How a dtype travels. */
export function wireType(dtype: DType): WireType {
  return wireTypes[dtype]
}

/** The dtype of a protocol name (`FP32` …), or undefined for a name that we can't hold, such as BF16. */
export function fromDatatype(datatype: string): WireType | undefined {
  return byDatatype.get(datatype)
}

type NumericData = Exclude<TensorData[DType], readonly string[]>

/** `count` elements at `offset` of `buffer`: the same memory where the offset is aligned, else a copy. The wire is little endian, as is every platform with typed arrays that we run on. */
export function numbersAt(
  dtype: Exclude<DType, 'string'>,
  buffer: ArrayBuffer,
  offset: number,
  count: number,
): NumericData {
  const { bytes } = wireTypes[dtype]
  return offset % bytes === 0
    ? new arrayOf[dtype](buffer, offset, count)
    : new arrayOf[dtype](buffer.slice(offset, offset + count * bytes))
}
