import { invalid, show, whole } from './check.js'

export interface FrameOptions {
  /** New samples per frame. */
  readonly size: number
  /** Samples of the frame before that stand in front; zeros before the first. 0 by default. Silero wants 64 before 512. */
  readonly context?: number | undefined
}

/**
 * Samples in pieces of `context + size`, for models that listen piece by piece. The last one is filled with zeros. Each is memory of its own.
 * @throws INVALID_INPUT
 */
export function* frames(samples: Float32Array, options: FrameOptions): Generator<Float32Array, void, void> {
  if (!(samples instanceof Float32Array)) {
    throw invalid('frames() samples', `must be a Float32Array, got ${show(samples)}`)
  }
  const size = whole('frames() size', options.size, 1, 2 ** 31)
  const context = whole('frames() context', options.context ?? 0, 0, 2 ** 31)
  for (let start = 0; start < samples.length; start += size) {
    const frame = new Float32Array(context + size)
    const from = Math.max(0, start - context)
    frame.set(samples.subarray(from, start + size), from - start + context)
    yield frame
  }
}
