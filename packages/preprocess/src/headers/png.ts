import { says, viewOver } from '../bytes.js'
import { exifOrientation, withoutPrefix } from './exif.js'
import type { Header, Range } from './header.js'

export const png = (bytes: Uint8Array): Header | undefined => {
  if (!says(bytes, 12, 'IHDR') || bytes.length < 33) return undefined
  const view = viewOver(bytes)
  const exif: Range[] = []
  // eXIf may stand before or after the pixels; chunks say their length, so the pixels are stepped over.
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (says(bytes, at + 4, 'eXIf')) exif.push({ start: at, end: at + 12 + view.getUint32(at) })
  }
  const [first] = exif
  const block = first && withoutPrefix(bytes.subarray(first.start + 8, first.end - 4))
  const orientation = block === undefined ? 1 : exifOrientation(block)
  return {
    format: 'PNG',
    width: view.getUint32(16),
    height: view.getUint32(20),
    orientation,
    exif,
    alpha: true,
  }
}
