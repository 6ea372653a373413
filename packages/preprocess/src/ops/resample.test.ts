import { describe, expect, test } from 'vitest'
import { scratch } from '../scratch.js'
import { testOp } from '../testing.js'
import { resample } from './resample.js'

const tone = (hertz: number, sampleRate: number, seconds: number): Float32Array =>
  Float32Array.from({ length: Math.ceil(sampleRate * seconds) }, (_, i) =>
    Math.sin((2 * Math.PI * hertz * i) / sampleRate),
  )

const convert = (samples: Float32Array, from: number, to: number): Float32Array =>
  resample({ sampleRate: from, channels: [samples] }, { op: 'resample', sampleRate: to }, scratch())
    .channels[0] ?? new Float32Array()

/** Decibels of `wanted` over the difference, away from the ends, where a filter sees silence. */
const snr = (got: Float32Array, wanted: Float32Array): number => {
  const edge = Math.floor(got.length / 10)
  let signal = 0
  let noise = 0
  for (let i = edge; i < got.length - edge; i++) {
    const value = wanted[i] ?? 0
    signal += value ** 2
    noise += ((got[i] ?? 0) - value) ** 2
  }
  return 10 * Math.log10(signal / noise)
}

describe('resample', () => {
  test.each([
    [44_100, 16_000],
    [48_000, 16_000],
    [8000, 16_000],
    [16_000, 48_000],
    [22_050, 16_000],
    [16_001, 16_000],
  ])('%i to %i Hz keeps tones of the passband, in phase, to 90 dB', (from, to) => {
    for (const part of [0.02, 0.3, 0.6, 0.85]) {
      const hertz = (part * Math.min(from, to)) / 2
      expect(snr(convert(tone(hertz, from, 0.2), from, to), tone(hertz, to, 0.2))).toBeGreaterThan(90)
    }
  })

  test('removes what the new rate cannot hold, to −90 dB', () => {
    const loudest = convert(tone(12_000, 44_100, 0.2), 44_100, 16_000)
      .subarray(400, -400)
      .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    expect(loudest).toBeLessThan(10 ** (-90 / 20))
  })

  test('keeps a constant', () => {
    const got = convert(new Float32Array(2000).fill(0.5), 44_100, 16_000).subarray(100, -100)
    for (const sample of got) expect(sample).toBeCloseTo(0.5, 6)
  })

  test.each([
    [0, 44_100, 16_000, 0],
    [1, 44_100, 16_000, 1],
    [1, 8000, 16_000, 2],
    [22_050, 44_100, 16_000, 8000],
    [441, 44_100, 16_000, 160],
  ])('%i samples at %i Hz are, at %i Hz, %i', (length, from, to, wanted) => {
    expect(convert(new Float32Array(length), from, to)).toHaveLength(wanted)
  })
})

describe('conformance', () => {
  const samples = Float32Array.of(0.25, -0.5, 1, 0)
  const cases = [
    ...testOp('resample', [
      {
        name: 'the same rate is the same samples',
        input: { sampleRate: 16_000, channels: [samples] },
        step: { op: 'resample', sampleRate: 16_000 },
        output: { sampleRate: 16_000, channels: [samples] },
      },
      {
        name: 'twice the rate keeps a slow tone',
        input: { sampleRate: 8000, channels: [tone(0, 8000, 0.01), new Float32Array(80)] },
        step: { op: 'resample', sampleRate: 16_000 },
        output: { sampleRate: 16_000, channels: [new Float32Array(160), new Float32Array(160)] },
      },
    ]),
    ...testOp('mix', [
      {
        name: 'the mean of all channels, within full scale',
        input: {
          sampleRate: 8000,
          channels: [Float32Array.of(1, 0.5), Float32Array.of(1, -0.5), Float32Array.of(1, 0.75)],
        },
        step: { op: 'mix' },
        output: { sampleRate: 8000, channels: [Float32Array.of(1, 0.25)] },
      },
      {
        name: 'one channel as it is',
        input: { sampleRate: 8000, channels: [samples] },
        step: { op: 'mix' },
        output: { sampleRate: 8000, channels: [samples] },
      },
    ]),
  ]
  for (const { name, run } of cases) test(name, run)
})
