import { frames } from '@tandem/preprocess'
import { output, type RunOptions, type RunResult, type Session, type Tensor } from '@tandem/sdk'
import { floats } from './floats.js'

/** Hz */
export const sampleRate = 16_000
/** New samples a call: 32 ms. */
export const chunkSamples = 512
/** Samples of the chunk before that stand in front of each chunk; without them the model hears little. */
const contextSamples = 64

const stateShape = [2, 1, 128] as const
const rate: Tensor<'int64'> = { dtype: 'int64', shape: [], data: BigInt64Array.of(BigInt(sampleRate)) }

export function chunkCount(samples: Float32Array): number {
  return Math.ceil(samples.length / chunkSamples)
}

/**
 * The probability of speech in each chunk. The model remembers: each call is fed the state that the call before gave, wherever
 * that one ran. `onCall` hears of every call.
 *
 * @throws what the session throws, or `options.signal.reason`
 */
export async function listen(
  session: Pick<Session, 'run'>,
  samples: Float32Array,
  options: RunOptions,
  onCall: (result: RunResult, index: number, soFar: Float32Array) => void,
): Promise<Float32Array<ArrayBuffer>> {
  const probabilities = new Float32Array(chunkCount(samples)).fill(Number.NaN)
  let state: Tensor = { dtype: 'float32', shape: stateShape, data: new Float32Array(256) }
  let index = 0
  for (const data of frames(samples, { size: chunkSamples, context: contextSamples })) {
    const input: Tensor<'float32'> = { dtype: 'float32', shape: [1, data.length], data }
    const result = await session.run({ input, state, sr: rate }, options)
    state = output(result, 'stateN')
    probabilities[index] = floats(output(result, 'output'))[0] ?? Number.NaN
    onCall(result, index, probabilities)
    index += 1
  }
  return probabilities
}

/** Seconds, from and to. */
export type Span = readonly [from: number, to: number]

/** Where speech is at least as likely as not, in whole chunks. */
export function speechSpans(probabilities: ArrayLike<number>): Span[] {
  const seconds = chunkSamples / sampleRate
  const spans: Span[] = []
  let from: number | undefined
  for (let i = 0; i <= probabilities.length; i += 1) {
    const speech = (probabilities[i] ?? 0) >= 0.5
    if (speech) from ??= i
    else if (from !== undefined) {
      spans.push([from * seconds, i * seconds])
      from = undefined
    }
  }
  return spans
}
