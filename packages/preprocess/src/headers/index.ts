import { InferenceError } from '@tandem/sdk'
import { type Header, says, viewOver } from './bytes.js'
import { jpeg } from './jpeg.js'
import { png } from './png.js'
import { webp } from './webp.js'

export type { Header } from './bytes.js'

const gif = (bytes: Uint8Array): Header | undefined => {
  if (bytes.length < 10) return undefined
  const view = viewOver(bytes)
  return {
    format: 'GIF',
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    orientation: 1,
    exif: [],
    alpha: true,
  }
}

const formats: readonly (readonly [
  (bytes: Uint8Array) => boolean,
  (bytes: Uint8Array) => Header | undefined,
])[] = [
  [(bytes) => says(bytes, 0, '\xff\xd8\xff'), jpeg],
  [(bytes) => says(bytes, 0, '\x89PNG\r\n\x1a\n'), png],
  [(bytes) => says(bytes, 0, 'RIFF') && says(bytes, 8, 'WEBP'), webp],
  [(bytes) => says(bytes, 0, 'GIF87a') || says(bytes, 0, 'GIF89a'), gif],
]

/**
 * What a picture's first bytes say, read the same way on every platform.
 * @throws INVALID_INPUT for what is not a JPEG, PNG, WebP or GIF, or has more than `maxPixels` pixels
 */
export const header = (bytes: Uint8Array, maxPixels: number): Header => {
  const format = formats.find(([matches]) => matches(bytes))
  if (format === undefined) {
    throw refusal(`not a picture that can be read: ${startsWith(bytes)}. JPEG, PNG, WebP and GIF can`)
  }
  const found = format[1](bytes)
  if (found === undefined || found.width === 0 || found.height === 0) {
    throw refusal(`the picture ends before it says its size: ${startsWith(bytes)}`)
  }
  if (found.width * found.height > maxPixels) {
    throw refusal(
      `the picture has ${found.width} × ${found.height} pixels, more than the plan's maxPixels (${maxPixels}): raise it or send a smaller one`,
      { width: found.width, height: found.height, maxPixels },
    )
  }
  return found
}

export const refusal = (
  problem: string,
  data: Record<string, unknown> = {},
  cause?: unknown,
): InferenceError =>
  new InferenceError('INVALID_INPUT', `input: ${problem}`, {
    data: { path: 'input', ...data },
    ...(cause === undefined ? {} : { cause }),
  })

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
