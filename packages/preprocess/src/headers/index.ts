import { says } from '../bytes.js'
import { refusal, startsWith, tooManyPixels } from '../refusal.js'
import { gif } from './gif.js'
import type { Header } from './header.js'
import { jpeg } from './jpeg.js'
import { png } from './png.js'
import { webp } from './webp.js'

export type { Header } from './header.js'

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
    throw tooManyPixels(found.width, found.height, maxPixels)
  }
  return found
}
