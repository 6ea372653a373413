/** Buckets per octave: 2^5. A bucket is then 2.19 % wide. */
export const sketchScale = 5

/** Shorter times than this (one nanosecond, in ms) count as zero. */
export const shortestMs: number = 2 ** -20

/** Longer times than this (49.7 days, in ms) count as this. */
export const longestMs: number = 2 ** 32

const perOctave = 2 ** sketchScale

/** The buckets of the shortest and of the longest time; a sketch has no others. */
export const lowestBucket: number = -20 * perOctave - 1
export const highestBucket: number = 32 * perOctave - 1

const cells = 1024

/** Lower bounds of the buckets of [1, 2), and 2. */
const bounds = /* @__PURE__ */ Float64Array.from({ length: perOctave + 1 }, (_, i) => 2 ** (i / perOctave))

/** For each 1/1024 of [1, 2): how many bounds lie below its start. No cell holds more than one bound. */
const boundsBelow = /* @__PURE__ */ Uint8Array.from({ length: cells }, (_, cell) => {
  const start = 1 + cell / cells
  return bounds.filter((bound) => bound < start).length
})

/** The bounds' mantissas, 20 high bits and 32 low ones. Integers are compared, for reading a double back whose half was written stalls. */
const boundsHigh = /* @__PURE__ */ Uint32Array.from(bounds, (bound) => Math.floor((bound - 1) * 2 ** 20))
const boundsLow = /* @__PURE__ */ Uint32Array.from(bounds, (bound) => ((bound - 1) * 2 ** 52) % 2 ** 32)

const double = /* @__PURE__ */ new Float64Array(1)
const words = /* @__PURE__ */ new Uint32Array(double.buffer)

/**
 * The bucket of a positive, normal number at scale 5: i where 2^(i/32) < ms ≤ 2^((i+1)/32), that is ceil(log2(ms) · 32) − 1.
 * Taken from the number's own bits (the exponent is the octave, ten bits of the mantissa all but find the bucket) because it
 * runs six times for one inference and `Math.log2` is three times as slow.
 */
export function bucketOf(ms: number): number {
  double[0] = ms
  const high = words[1] as number
  const mantissa = high & 0xfffff
  const below = boundsBelow[mantissa >>> 10] as number
  const bound = boundsHigh[below] as number
  const above =
    mantissa > bound || (mantissa === bound && (words[0] as number) > (boundsLow[below] as number))
  return ((high >>> 20) - 1023) * perOctave + below - (above ? 0 : 1)
}
