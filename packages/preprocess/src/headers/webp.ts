import { says, viewOver } from '../bytes.js'
import { exifOrientation, withoutPrefix } from './exif.js'
import type { Header, Range } from './header.js'

export const webp = (bytes: Uint8Array): Header | undefined => {
  const view = viewOver(bytes)
  const size = frameSize(bytes, view)
  if (size === undefined) return undefined
  const exif: Range[] = []
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true)
    const end = at + 8 + length
    if (says(bytes, at, 'EXIF')) exif.push({ start: at, end })
    // Chunks are padded to an even length.
    at = end + (length & 1)
  }
  const [first] = exif
  const block = first && withoutPrefix(bytes.subarray(first.start + 8, first.end))
  return { format: 'WebP', ...size, orientation: block === undefined ? 1 : exifOrientation(block), exif }
}

function frameSize(
  bytes: Uint8Array,
  view: DataView,
): { readonly width: number; readonly height: number; readonly alpha: boolean } | undefined {
  if (bytes.length < 30) return undefined
  if (says(bytes, 12, 'VP8 ')) {
    return {
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
      alpha: false,
    }
  }
  if (says(bytes, 12, 'VP8L')) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, alpha: true }
  }
  if (says(bytes, 12, 'VP8X')) {
    return {
      width: (view.getUint32(24, true) & 0xffffff) + 1,
      height: (view.getUint32(26, true) >>> 8) + 1,
      alpha: true,
    }
  }
  return undefined
}
