import { grain } from './pixels.js'
import type { Sound } from './speech.js'

/** Rain on a roof, made of noise: a steady hiss and drops that ring for some milliseconds. Nobody speaks. */
export function rain(sampleRate = 22_050, seconds = 5): Sound {
  const samples = new Float32Array(sampleRate * seconds)
  let hiss = 0
  let low = 0
  let drop = 0
  for (let i = 0; i < samples.length; i += 1) {
    const noise = 2 * grain(i, 31) - 1
    hiss += 0.35 * (noise - hiss)
    low += 0.02 * (noise - low)
    if (grain(i, 57) > 0.9994) drop = 0.2 + 0.5 * grain(i, 58)
    drop *= 0.992
    samples[i] = 0.09 * hiss + 0.3 * low + 0.25 * drop * noise
  }
  return { sampleRate, samples, spoken: [] }
}
