import { invalid, onlyKeys, show, whole } from './check.js'
import type { AudioPlan } from './plan.js'

export interface AudioOptions<Name extends string = string> {
  /** The name of the model's input. */
  readonly input: Name
  /** Hz that the model was trained with. A recording at any other rate is resampled. */
  readonly sampleRate: number
  /** True by default: the mean of all channels, shape [1, samples]. False keeps them: [channels, samples]. */
  readonly mono?: boolean | undefined
}

/** The rates of recordings and models: from telephone to studio, with room on both sides. */
export const sampleRates = { min: 1000, max: 768_000 } as const

/** A plan that turns recordings into float32 samples at a model's rate. Plain data. @throws INVALID_INPUT that names the option */
export const audio = <const Name extends string>(wanted: AudioOptions<Name>): AudioPlan<Name> => {
  if (typeof wanted !== 'object' || wanted === null)
    throw invalid('audio()', `takes an object, got ${show(wanted)}`)
  onlyKeys('audio()', wanted, ['input', 'sampleRate', 'mono'])
  const { input, mono = true } = wanted
  if (typeof input !== 'string' || input === '') {
    throw invalid('audio().input', `must be the name of the model's input, got ${show(input)}`)
  }
  if (typeof mono !== 'boolean') throw invalid('audio().mono', `must be true or false, got ${show(mono)}`)
  const sampleRate = whole('audio().sampleRate', wanted.sampleRate, sampleRates.min, sampleRates.max)
  return {
    kind: 'audio',
    input,
    sampleRate,
    steps: [...(mono ? ([{ op: 'mix' }] as const) : []), { op: 'resample', sampleRate }],
  }
}
