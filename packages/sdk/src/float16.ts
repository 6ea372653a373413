const float64 = new Float64Array(1)
const words = new Uint32Array(float64.buffer)

/** The largest finite float16. */
export const float16Max = 65504

/** Bits of the float16 nearest to `value`, ties to even, in one rounding. Beyond ±65520 it is an infinity. */
export function toFloat16Bits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const size = Math.abs(value)
  if (size >= 65520) return sign | 0x7c00
  if (size < 2 ** -14) return sign | roundToEven(size * 2 ** 24)
  float64[0] = size
  const exponent = ((words[1] as number) >>> 20) - 1023
  // A mantissa that rounds up to 2048 carries into the exponent, which is what is meant.
  return sign + ((exponent + 14) << 10) + roundToEven(size * 2 ** (10 - exponent))
}

/** The number that float16 bits stand for. */
export function fromFloat16Bits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >>> 10) & 31
  const mantissa = bits & 1023
  if (exponent === 0) return sign * mantissa * 2 ** -24
  if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15)
}

/** float16 bits of numbers: each rounded once to the nearest, ties to even. */
export function toFloat16(values: ArrayLike<number>): Uint16Array {
  const bits = new Uint16Array(values.length)
  for (let i = 0; i < bits.length; i++) bits[i] = toFloat16Bits(values[i] as number)
  return bits
}

/** The numbers that float16 bits stand for, exactly. */
export function fromFloat16(bits: ArrayLike<number>): Float32Array {
  const values = new Float32Array(bits.length)
  for (let i = 0; i < values.length; i++) values[i] = fromFloat16Bits(bits[i] as number)
  return values
}

function roundToEven(value: number): number {
  const rounded = Math.round(value)
  return rounded - value === 0.5 && rounded % 2 === 1 ? rounded - 1 : rounded
}
