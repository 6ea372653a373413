import { InferenceError } from '@tandem/sdk/error'
import { says } from './bytes.js'

/** A typed refusal of the input itself, not of an option. */
export const refusal = (
  problem: string,
  data: Record<string, unknown> = {},
  cause?: unknown,
): InferenceError =>
  new InferenceError('INVALID_INPUT', `input: ${problem}`, {
    data: { path: 'input', ...data },
    ...(cause === undefined ? {} : { cause }),
  })

export const tooManyPixels = (width: number, height: number, maxPixels: number): InferenceError =>
  refusal(
    `the picture has ${width} × ${height} pixels, more than the plan's maxPixels (${maxPixels}): raise it or send a smaller one`,
    { width, height, maxPixels },
  )

/** What people take for a picture or a recording, told from its first bytes. */
const strangers: readonly (readonly [text: string, name: string, at?: number])[] = [
  ['<!', 'a web page'],
  ['<html', 'a web page'],
  ['<svg', 'an SVG'],
  ['<?xml', 'XML, perhaps an SVG'],
  ['%PDF', 'a PDF'],
  ['version https://git-lfs', 'a Git LFS pointer: run git lfs pull'],
  ['ID3', 'an MP3'],
  ['OggS', 'an Ogg recording'],
  ['fLaC', 'a FLAC recording'],
  ['RIFF', 'a WAV', 0],
  ['II*\0', 'a TIFF'],
  ['MM\0*', 'a TIFF'],
  ['BM', 'a BMP'],
  ['ftypavif', 'an AVIF', 4],
  ['ftyphei', 'a HEIC', 4],
  ['ftyp', 'an MP4', 4],
  ['\xff\xd8\xff', 'a JPEG'],
  ['\x89PNG', 'a PNG'],
  ['GIF8', 'a GIF'],
]

/** For messages: what a file starts with, and what that looks like. */
export const startsWith = (bytes: Uint8Array): string => {
  if (bytes.length === 0) return 'it is empty (0 bytes)'
  const name = strangers.find(([text, , at = 0]) => says(bytes, at, text))?.[1]
  const start = Array.from(bytes.subarray(0, 12), (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('')
  return `${bytes.length} bytes that start with "${start}"${name === undefined ? '' : ` (${name})`}`
}
