import type { AudioOp } from './signal.js'

/** All channels to one: their mean, which cannot exceed full scale. */
export interface Mix {
  readonly op: 'mix'
}

export const mix: AudioOp<Mix> = (signal) => {
  const { channels } = signal
  const [first] = channels
  if (first === undefined || channels.length === 1) return signal
  const mean = new Float32Array(first.length)
  for (let i = 0; i < mean.length; i++) {
    let sum = 0
    for (const channel of channels) sum += channel[i] as number
    mean[i] = sum / channels.length
  }
  return { ...signal, channels: [mean] }
}
