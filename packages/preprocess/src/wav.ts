import { says, viewOver } from './bytes.js'
import type { Signal } from './ops/signal.js'
import { refusal, startsWith } from './refusal.js'
import { type Reader, readers } from './samples.js'

/** A decoded recording. */
export interface Recording extends Signal {
  /** Whether the file ended before the samples that it promised; what is there was read. */
  readonly truncated: boolean
}

interface Format {
  readonly channels: number
  readonly sampleRate: number
  readonly read: Reader
}

/** Length fields that a writer leaves when it cannot go back: take what follows. */
const unknownLength = 0xffffffff

/**
 * The samples of a WAV (RIFF) file: PCM of 8, 16, 24 or 32 bits, 32- or 64-bit float, µ-law, A-law; plain or
 * «extensible» headers. @throws INVALID_INPUT that says what is wrong with the file
 */
export const decodeWav = (bytes: Uint8Array): Recording => {
  if (!says(bytes, 0, 'RIFF') || !says(bytes, 8, 'WAVE')) {
    throw refusal(`not a WAV recording: ${startsWith(bytes)}`)
  }
  const view = viewOver(bytes)
  let format: Format | undefined
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true)
    if (says(bytes, at, 'fmt ')) format = readFormat(bytes, view, at + 8, length)
    if (says(bytes, at, 'data')) {
      if (format === undefined) throw refusal('the WAV file has its data before its format: it is damaged')
      return readData(view, at + 8, length, format)
    }
    at += 8 + length + (length & 1)
  }
  throw refusal(`the WAV file has no ${format === undefined ? 'format' : 'data'}: it is damaged or cut off`)
}

const extensible = 0xfffe

function readFormat(bytes: Uint8Array, view: DataView, at: number, length: number): Format {
  if (length < 16 || at + length > bytes.length) throw refusal('the WAV file is cut off in its format')
  const tag = view.getUint16(at, true)
  // The first two bytes of an extensible header's GUID are the tag it would have had.
  const code = tag === extensible && length >= 26 ? view.getUint16(at + 24, true) : tag
  const channels = view.getUint16(at + 2, true)
  const sampleRate = view.getUint32(at + 4, true)
  const bits = view.getUint16(at + 14, true)
  const read = readers[`${code}/${bits}`]
  if (read === undefined) {
    throw refusal(
      `the WAV file holds samples of format ${code} with ${bits} bits; PCM (8, 16, 24, 32), float (32, 64), µ-law and A-law can be read`,
      { format: code, bits },
    )
  }
  if (channels === 0 || sampleRate === 0) {
    throw refusal(`the WAV file says ${channels} channels at ${sampleRate} Hz: it is damaged`)
  }
  return { channels, sampleRate, read }
}

function readData(view: DataView, at: number, length: number, format: Format): Recording {
  const { read } = format
  const there = view.byteLength - at
  const frameBytes = read.bytes * format.channels
  const frames = Math.floor(Math.min(length, there) / frameBytes)
  const channels = Array.from({ length: format.channels }, (_, channel) => {
    const samples = new Float32Array(frames)
    let p = at + channel * read.bytes
    for (let i = 0; i < frames; i++) {
      samples[i] = read.sample(view, p)
      p += frameBytes
    }
    return samples
  })
  return { sampleRate: format.sampleRate, channels, truncated: length > there && length !== unknownLength }
}
