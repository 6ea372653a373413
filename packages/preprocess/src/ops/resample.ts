import { besselI0, sinc } from '../math.js'
import type { AudioOp } from './signal.js'

/** To another sample rate, through a polyphase filter: a sinc under a Kaiser window, in phase with the source. */
export interface Resample {
  readonly op: 'resample'
  /** Hz. */
  readonly sampleRate: number
}

/** Zero crossings of the sinc on either side: more make the edge of the passband steeper. */
const zeroCrossings = 64
/** The cutoff as a part of the lower Nyquist frequency. */
const rolloff = 0.9475937167399596
/** Kaiser's β: side lobes below −140 dB. These three are resampy's and torchaudio's «kaiser best». */
const beta = 14.769656459379492

export const resample: AudioOp<Resample> = (signal, step, memory) => {
  const from = signal.sampleRate
  const to = step.sampleRate
  if (from === to) return signal
  const divisor = greatestCommonDivisor(from, to)
  const up = to / divisor
  const down = from / divisor
  const filter = memory.memo(`resample ${up} ${down}`, () => polyphase(up, down))
  return { sampleRate: to, channels: signal.channels.map((samples) => convert(samples, up, down, filter)) }
}

interface Polyphase {
  /** Taps before and after the place of an output sample. */
  readonly reach: number
  /** The weights of one of `up` places between two source samples. Made when first asked for: odd rates have thousands. */
  phase(index: number): Float32Array
}

function polyphase(up: number, down: number): Polyphase {
  const cutoff = rolloff * Math.min(1, up / down)
  const width = zeroCrossings / cutoff
  const reach = Math.ceil(width)
  const phases: Float32Array[] = []
  const full = besselI0(beta)
  const make = (index: number): Float32Array => {
    const exact = new Float64Array(2 * reach)
    let sum = 0
    for (let i = 0; i < exact.length; i++) {
      const x = i - reach + 1 - index / up
      const part = x / width
      const weight =
        Math.abs(part) >= 1 ? 0 : sinc(cutoff * x) * (besselI0(beta * Math.sqrt(1 - part * part)) / full)
      exact[i] = weight
      sum += weight
    }
    // Every phase sums to 1, so that a constant stays what it is.
    return Float32Array.from(exact, (weight) => weight / sum)
  }
  return {
    reach,
    phase(index) {
      phases[index] ??= make(index)
      return phases[index]
    },
  }
}

function convert(samples: Float32Array, up: number, down: number, filter: Polyphase): Float32Array {
  const out = new Float32Array(Math.ceil((samples.length * up) / down))
  const wholeStep = Math.floor(down / up)
  const phaseStep = down % up
  let place = 0
  let phase = 0
  for (let n = 0; n < out.length; n++) {
    const weights = filter.phase(phase)
    const first = place - filter.reach + 1
    const from = Math.max(0, -first)
    const end = Math.min(weights.length, samples.length - first)
    // Two sums at a time, since an addition has to wait for the one before it.
    let even = 0
    let odd = 0
    let i = from
    for (; i + 1 < end; i += 2) {
      even += (samples[first + i] as number) * (weights[i] as number)
      odd += (samples[first + i + 1] as number) * (weights[i + 1] as number)
    }
    if (i < end) even += (samples[first + i] as number) * (weights[i] as number)
    out[n] = even + odd
    place += wholeStep
    phase += phaseStep
    if (phase >= up) {
      phase -= up
      place++
    }
  }
  return out
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
