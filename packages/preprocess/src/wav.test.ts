import { describe, expect, test } from 'vitest'
import { decodeWav } from './wav.js'

interface Wave {
  readonly code: number
  readonly bits: number
  readonly channels?: number
  readonly sampleRate?: number
  readonly data: Uint8Array
  /** What the data chunk says its length is. */
  readonly says?: number
  readonly extensible?: boolean
}

const text = (view: DataView, at: number, value: string): void => {
  for (let i = 0; i < value.length; i++) view.setUint8(at + i, value.charCodeAt(i))
}

/** A WAV file with an odd chunk in front of the data, as many have. */
const wave = ({
  code,
  bits,
  channels = 1,
  sampleRate = 8000,
  data,
  says,
  extensible = false,
}: Wave): Uint8Array => {
  const formatLength = extensible ? 40 : 16
  const bytes = new Uint8Array(12 + 8 + formatLength + 8 + 4 + 8 + data.length)
  const view = new DataView(bytes.buffer)
  text(view, 0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  text(view, 8, 'WAVEfmt ')
  view.setUint32(16, formatLength, true)
  view.setUint16(20, extensible ? 0xfffe : code, true)
  view.setUint16(22, channels, true)
  view.setUint32(24, sampleRate, true)
  view.setUint16(34, bits, true)
  if (extensible) view.setUint16(44, code, true)
  let at = 20 + formatLength
  text(view, at, 'LIST')
  view.setUint32(at + 4, 3, true)
  at += 12
  text(view, at, 'data')
  view.setUint32(at + 4, says ?? data.length, true)
  bytes.set(data, at + 8)
  return bytes
}

const bytesOf = (data: Int16Array | Int32Array | Float32Array | Float64Array): Uint8Array =>
  new Uint8Array(data.buffer)
const first = (bytes: Uint8Array): number[] => Array.from(decodeWav(bytes).channels[0] ?? [])

describe('decodeWav', () => {
  test.each<[string, Wave, number[]]>([
    ['8 bits', { code: 1, bits: 8, data: Uint8Array.of(0, 128, 192, 255) }, [-1, 0, 0.5, 127 / 128]],
    ['16 bits', { code: 1, bits: 16, data: bytesOf(Int16Array.of(-32_768, 0, 16_384)) }, [-1, 0, 0.5]],
    [
      '24 bits',
      { code: 1, bits: 24, data: Uint8Array.of(0, 0, 0x80, 0, 0, 0x40, 1, 0, 0) },
      [-1, 0.5, 2 ** -23],
    ],
    ['32 bits', { code: 1, bits: 32, data: bytesOf(Int32Array.of(-(2 ** 31), 2 ** 30)) }, [-1, 0.5]],
    ['float', { code: 3, bits: 32, data: bytesOf(Float32Array.of(0.25, -1.5)) }, [0.25, -1.5]],
    ['double', { code: 3, bits: 64, data: bytesOf(Float64Array.of(0.25, -1)) }, [0.25, -1]],
    // G.711's own table: 0x00 and 0x80 are the loudest, 0xff and 0x7f silence.
    [
      'µ-law',
      { code: 7, bits: 8, data: Uint8Array.of(0x00, 0x80, 0xff, 0xf0) },
      [-32_124 / 32_768, 32_124 / 32_768, 0, 120 / 32_768],
    ],
    [
      'A-law',
      { code: 6, bits: 8, data: Uint8Array.of(0x2a, 0xaa, 0xd5, 0x55) },
      [-32_256 / 32_768, 32_256 / 32_768, 8 / 32_768, -8 / 32_768],
    ],
    [
      'an extensible header',
      { code: 1, bits: 16, extensible: true, data: bytesOf(Int16Array.of(8192)) },
      [0.25],
    ],
    [
      'a length that the writer never filled in',
      { code: 1, bits: 16, says: 0xffffffff, data: bytesOf(Int16Array.of(8192)) },
      [0.25],
    ],
  ])('%s', (_, made, samples) => {
    expect(first(wave(made))).toEqual(samples)
  })

  test('stereo at its own rate', () => {
    const { sampleRate, channels, truncated } = decodeWav(
      wave({
        code: 1,
        bits: 16,
        channels: 2,
        sampleRate: 44_100,
        data: bytesOf(Int16Array.of(1, 2, 3, 4).map((x) => x * 8192)),
      }),
    )
    expect({ sampleRate, truncated }).toEqual({ sampleRate: 44_100, truncated: false })
    expect(channels.map((samples) => [...samples])).toEqual([
      [0.25, 0.75],
      [0.5, -1],
    ])
  })

  test('a file that ends early gives what is there, in whole frames', () => {
    const made = decodeWav(
      wave({ code: 1, bits: 16, channels: 2, says: 4000, data: bytesOf(Int16Array.of(1, 2, 3)) }),
    )
    expect(made).toMatchObject({ truncated: true })
    expect(made.channels.map((samples) => samples.length)).toEqual([1, 1])
  })

  test.each<[string, Uint8Array, string]>([
    ['an MP3', new TextEncoder().encode('ID3\x04 and more of it'), 'an MP3'],
    ['nothing', new Uint8Array(0), 'empty'],
    ['ADPCM', wave({ code: 2, bits: 4, data: new Uint8Array(8) }), 'format 2 with 4 bits'],
    ['no channels', wave({ code: 1, bits: 16, channels: 0, data: new Uint8Array(8) }), '0 channels'],
    ['no data', wave({ code: 1, bits: 16, data: new Uint8Array(0) }).subarray(0, 40), 'no data'],
    ['a cut off format', wave({ code: 1, bits: 16, data: new Uint8Array(0) }).subarray(0, 30), 'cut off'],
  ])('refuses %s', (_, bytes, named) => {
    expect(() => decodeWav(bytes)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    expect(() => decodeWav(bytes)).toThrow(named)
  })

  test('reads a view into a larger buffer', () => {
    const file = wave({ code: 1, bits: 16, data: bytesOf(Int16Array.of(8192)) })
    const larger = new Uint8Array(file.length + 7)
    larger.set(file, 7)
    expect(first(larger.subarray(7))).toEqual([0.25])
  })
})
