import { says, viewOver } from '../bytes.js'
import { exifOrientation } from './exif.js'
import type { Header, Range } from './header.js'

const markers = { startOfScan: 0xda, endOfImage: 0xd9, app1: 0xe1 } as const

/** SOF0 to SOF15 without DHT, JPG and DAC, which share their range. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Markers that stand alone, without a length. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

export const jpeg = (bytes: Uint8Array): Header | undefined => {
  const view = viewOver(bytes)
  const exif: Range[] = []
  let frame: { readonly width: number; readonly height: number; readonly cmyk: boolean } | undefined
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number
    // 0xFF may be repeated as padding before a marker.
    if (marker === 0xff) at += 1
    else if (isBare(marker)) at += 2
    else if (marker === markers.startOfScan || marker === markers.endOfImage) break
    else {
      const end = at + 2 + Math.max(2, view.getUint16(at + 2))
      if (isFrame(marker) && at + 10 <= bytes.length) {
        frame = { width: view.getUint16(at + 7), height: view.getUint16(at + 5), cmyk: bytes[at + 9] === 4 }
      }
      if (marker === markers.app1 && says(bytes, at + 4, 'Exif\0\0')) exif.push({ start: at, end })
      at = end
    }
  }
  // The first EXIF block counts: later ones are from editors that copied a picture into another.
  const [first] = exif
  const orientation = first === undefined ? 1 : exifOrientation(bytes.subarray(first.start + 10, first.end))
  return frame && { format: 'JPEG', ...frame, orientation, exif, alpha: false }
}
