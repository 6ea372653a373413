import { type Header, says, viewOver } from './bytes.js'
import { exifOrientation } from './exif.js'

const markers = { startOfScan: 0xda, endOfImage: 0xd9, app1: 0xe1 } as const

/** SOF0 to SOF15 without DHT, JPG and DAC, which share their range. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Markers that stand alone, without a length. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

export const jpeg = (bytes: Uint8Array): Header | undefined => {
  const view = viewOver(bytes)
  let orientation: number | undefined
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] as number
    // 0xFF may be repeated as padding before a marker.
    if (marker === 0xff) at += 1
    else if (isBare(marker)) at += 2
    else if (marker === markers.startOfScan || marker === markers.endOfImage) return undefined
    else {
      const length = view.getUint16(at + 2)
      const body = bytes.subarray(at + 4, at + 2 + length)
      if (isFrame(marker)) {
        if (body.length < 5) return undefined
        const height = view.getUint16(at + 5)
        const width = view.getUint16(at + 7)
        return { format: 'JPEG', width, height, orientation: orientation ?? 1, alpha: false }
      }
      // The first EXIF block counts: later ones are from editors that copied a picture into another.
      if (marker === markers.app1 && says(body, 0, 'Exif\0\0'))
        orientation ??= exifOrientation(body.subarray(6))
      at += 2 + Math.max(2, length)
    }
  }
  return undefined
}
