import { sinc } from '../math.js'

/** Pillow's antialiased filters. `nearest` takes one pixel and does not antialias. */
export const filters = ['bilinear', 'nearest', 'box', 'bicubic', 'lanczos'] as const
export type Filter = (typeof filters)[number]

interface Kernel {
  /** Half the width, in source pixels at scale 1. */
  readonly support: number
  readonly weight: (x: number) => number
}

const kernels: Record<Exclude<Filter, 'nearest'>, Kernel> = {
  box: { support: 0.5, weight: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { support: 1, weight: (x) => Math.max(0, 1 - Math.abs(x)) },
  bicubic: {
    support: 2,
    // Keys' cubic with a = -1/2, Horner's form as in Pillow.
    weight(x) {
      const t = Math.abs(x)
      if (t < 1) return (1.5 * t - 2.5) * t * t + 1
      if (t < 2) return -0.5 * (((t - 5) * t + 8) * t - 4)
      return 0
    },
  },
  lanczos: { support: 3, weight: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
}

/** Bits after the point of a weight: 32 less 8 for the pixel and 2 for overshoot. */
export const precisionBits: number = 32 - 8 - 2

/** For each output pixel: the first source pixel, how many, and their weights as fixed-point numbers. */
export interface Weights {
  readonly starts: Int32Array
  readonly counts: Int32Array
  readonly values: Int32Array
  /** Values per output pixel; the ones past its count are zero. */
  readonly stride: number
}

/** Pillow's table for one axis (`precompute_coeffs` and `normalize_coeffs_8bpc` in its Resample.c), to the bit. */
export const weightsFor = (filter: Exclude<Filter, 'nearest'>, from: number, to: number): Weights => {
  const kernel = kernels[filter]
  const scale = from / to
  const stretch = Math.max(1, scale)
  const support = kernel.support * stretch
  const stride = Math.ceil(support) * 2 + 1
  const starts = new Int32Array(to)
  const counts = new Int32Array(to)
  const values = new Int32Array(to * stride)
  const exact = new Float64Array(stride)
  for (let out = 0; out < to; out++) {
    const center = (out + 0.5) * scale
    const start = Math.max(0, Math.trunc(center - support + 0.5))
    const count = Math.min(from, Math.trunc(center + support + 0.5)) - start
    let sum = 0
    for (let i = 0; i < count; i++) {
      const weight = kernel.weight((i + start - center + 0.5) * (1 / stretch))
      exact[i] = weight
      sum += weight
    }
    for (let i = 0; i < count; i++) {
      const weight = (sum === 0 ? (exact[i] as number) : (exact[i] as number) / sum) * 2 ** precisionBits
      values[out * stride + i] = Math.trunc(weight < 0 ? weight - 0.5 : weight + 0.5)
    }
    starts[out] = start
    counts[out] = count
  }
  return { starts, counts, values, stride }
}
