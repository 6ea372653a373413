import type { SketchData } from './batch.js'
import { bucketOf, longestMs, shortestMs, sketchScale } from './bucket.js'

/** Milliseconds. Percentiles are within 1.09 % of the exact nearest-rank ones; count, mean, min and max are exact. */
export interface SketchStats {
  readonly count: number
  readonly mean: number
  readonly min: number
  readonly max: number
  readonly p50: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
}

/** Room made around the first value and at each growth: half an octave at each side, so that a steady series grows once or twice. */
const margin = 16

/**
 * All values of one series as counts in exponential buckets: exact but for the percentiles, which a bucket blurs, and
 * any number of them can be merged without adding any. Takes milliseconds. A class because it is a value with identity that is
 * written to in the hot path.
 */
export class Sketch {
  count = 0
  zeros = 0
  sum = 0
  min: number = Number.POSITIVE_INFINITY
  max = 0
  /** Buckets per octave as a power of two: one scale for all, since a single coarse sketch would blur every one it is merged into. */
  readonly scale: number = sketchScale
  private offset = 0
  private counts = new Float64Array(0)

  /** Takes one time. False, and nothing is changed, for what is not a time: NaN, an infinity or a negative number. */
  record(ms: number): boolean {
    if (!Number.isFinite(ms) || ms < 0) return false
    const value = Math.min(ms, longestMs)
    this.count++
    this.sum += value
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
    if (value < shortestMs) {
      this.zeros++
      return true
    }
    const bucket = bucketOf(value)
    let slot = bucket - this.offset
    if (slot < 0 || slot >= this.counts.length) slot = this.reach(bucket, bucket)
    ;(this.counts[slot] as number)++
    return true
  }

  /** Adds what another sketch holds; the same as having recorded its values here. @throws RangeError for another scale */
  merge(other: Sketch | SketchData): void {
    if (other.scale !== sketchScale)
      throw new RangeError(`a sketch of scale ${other.scale}, not ${sketchScale}`)
    if (other.count === 0) return
    const { count, zeros, sum, min, max, offset, counts } = other instanceof Sketch ? other.toData() : other
    this.count += count
    this.zeros += zeros
    this.sum += sum
    this.min = Math.min(this.min, min)
    this.max = Math.max(this.max, max)
    if (counts.length === 0) return
    const slot = this.reach(offset, offset + counts.length - 1)
    counts.forEach((n, i) => {
      this.counts[slot + i] = (this.counts[slot + i] as number) + n
    })
  }

  /** The value of nearest rank ⌈q · count⌉, 0 ≤ q ≤ 1, in ms; NaN when nothing was recorded. */
  quantile(q: number): number {
    if (this.count === 0) return Number.NaN
    const rank = Math.max(1, Math.ceil(q * this.count))
    if (rank >= this.count) return this.max
    let seen = this.zeros
    if (rank <= seen) return this.min
    let slot = 0
    for (; slot < this.counts.length - 1; slot++) {
      seen += this.counts[slot] as number
      if (seen >= rank) break
    }
    const low = 2 ** ((this.offset + slot) / 2 ** sketchScale)
    const high = 2 ** ((this.offset + slot + 1) / 2 ** sketchScale)
    // The harmonic mean of the bounds is equally far, relatively, from both.
    return Math.min(this.max, Math.max(this.min, (2 * low * high) / (low + high)))
  }

  stats(): SketchStats {
    const empty = this.count === 0
    return {
      count: this.count,
      mean: empty ? Number.NaN : this.sum / this.count,
      min: empty ? Number.NaN : this.min,
      max: empty ? Number.NaN : this.max,
      p50: this.quantile(0.5),
      p90: this.quantile(0.9),
      p95: this.quantile(0.95),
      p99: this.quantile(0.99),
    }
  }

  /** For the wire: buckets trimmed to those in use, times rounded to the nanosecond. */
  toData(): SketchData {
    const used = (n: number): boolean => n > 0
    const first = Math.max(0, this.counts.findIndex(used))
    return {
      scale: this.scale,
      count: this.count,
      zeros: this.zeros,
      sum: toNanosecond(this.sum),
      min: this.count === 0 ? 0 : toNanosecond(this.min),
      max: toNanosecond(this.max),
      offset: this.offset + first,
      counts: Array.from(this.counts.subarray(first, this.counts.findLastIndex(used) + 1)),
    }
  }

  /** Empties it, keeping the room it has made. */
  clear(): void {
    this.count = this.zeros = this.sum = this.max = 0
    this.min = Number.POSITIVE_INFINITY
    this.counts.fill(0)
  }

  /** Makes room for the buckets from `low` to `high`, and around them, and returns the slot of `low`. */
  private reach(low: number, high: number): number {
    const { counts, offset } = this
    const empty = counts.length === 0
    const from = empty ? low - margin : Math.min(offset, low - margin)
    const end = empty ? high + margin : Math.max(offset + counts.length, high + margin)
    if (end - from > counts.length) {
      this.counts = new Float64Array(end - from)
      this.counts.set(counts, empty ? 0 : offset - from)
      this.offset = from
    }
    return low - from
  }
}

/** A new sketch, empty or holding what came over the wire. */
export function sketch(data?: SketchData): Sketch {
  const made = new Sketch()
  if (data !== undefined) made.merge(data)
  return made
}

function toNanosecond(ms: number): number {
  return Math.round(ms * 1e6) / 1e6
}
