import { says, viewOver } from '../bytes.js'

const orientationTag = 0x0112
const shortType = 3

/** The orientation in a TIFF block (what EXIF is), 1 when it has none or it is not 1 to 8. */
export const exifOrientation = (block: Uint8Array): number => {
  const little = says(block, 0, 'II*\0')
  if (!little && !says(block, 0, 'MM\0*')) return 1
  const view = viewOver(block)
  if (block.length < 8) return 1
  const directory = view.getUint32(4, little)
  if (directory + 2 > block.length) return 1
  const entries = view.getUint16(directory, little)
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * 12
    if (entry + 12 > block.length) return 1
    if (view.getUint16(entry, little) !== orientationTag) continue
    if (view.getUint16(entry + 2, little) !== shortType) return 1
    const tag = view.getUint16(entry + 8, little)
    return tag >= 1 && tag <= 8 ? tag : 1
  }
  return 1
}

/** Some writers put JPEG's «Exif\0\0» in front of the TIFF block of other formats as well. */
export const withoutPrefix = (block: Uint8Array): Uint8Array =>
  says(block, 0, 'Exif\0\0') ? block.subarray(6) : block
