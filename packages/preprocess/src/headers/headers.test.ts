import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { exifOrientation } from './exif.js'
import { header } from './index.js'

const picture = () => sharp({ create: { width: 30, height: 20, channels: 3, background: '#c83214' } })
const plenty = 1e6

describe('orientation, the same in every format', () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    test.each([1, 2, 3, 4, 5, 6, 7, 8])(`${format} %i`, async (orientation) => {
      const bytes = await picture().withMetadata({ orientation }).toFormat(format).toBuffer()
      expect(header(bytes, plenty)).toMatchObject({ width: 30, height: 20, orientation })
    })
  }

  test('is 1 without EXIF', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
      const bytes = await picture().toFormat(format).toBuffer()
      expect(header(bytes, plenty)).toMatchObject({ width: 30, height: 20, orientation: 1 })
    }
  })

  test('lossless WebP without a VP8X chunk', async () => {
    const bytes = await picture().webp({ lossless: true }).toBuffer()
    expect(header(bytes, plenty)).toMatchObject({ width: 30, height: 20, alpha: true })
  })
})

/** A TIFF block with one tag. */
const block = (little: boolean, tag: number, type: number, value: number): Uint8Array => {
  const bytes = new Uint8Array(26)
  const view = new DataView(bytes.buffer)
  bytes.set(little ? [0x49, 0x49, 0x2a, 0] : [0x4d, 0x4d, 0, 0x2a])
  view.setUint32(4, 8, little)
  view.setUint16(8, 1, little)
  view.setUint16(10, tag, little)
  view.setUint16(12, type, little)
  view.setUint32(14, 1, little)
  view.setUint16(18, value, little)
  return bytes
}

describe('EXIF', () => {
  test('in both byte orders', () => {
    expect(exifOrientation(block(true, 0x0112, 3, 6))).toBe(6)
    expect(exifOrientation(block(false, 0x0112, 3, 8))).toBe(8)
  })

  test('that is nonsense means upright', () => {
    expect(exifOrientation(block(true, 0x0112, 3, 9))).toBe(1)
    expect(exifOrientation(block(true, 0x0112, 3, 0))).toBe(1)
    expect(exifOrientation(block(true, 0x0112, 2, 6))).toBe(1)
    expect(exifOrientation(block(true, 0x0110, 3, 6))).toBe(1)
    expect(exifOrientation(new Uint8Array(0))).toBe(1)
  })

  test('cut off anywhere is no error', () => {
    const whole = block(false, 0x0112, 3, 6)
    for (let length = 0; length < 22; length++) expect(exifOrientation(whole.subarray(0, length))).toBe(1)
  })
})

describe('what is refused', () => {
  test.each([
    ['nothing', new Uint8Array(0), 'empty'],
    ['a web page', new TextEncoder().encode('<!DOCTYPE html><html>'), 'a web page'],
    ['an SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'an SVG'],
    ['a HEIC', new TextEncoder().encode('\0\0\0\x18ftypheic'), 'a HEIC'],
    [
      'a PNG that ends in its header',
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0),
      'before it says its size',
    ],
    [
      'a JPEG that ends in its header',
      Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16),
      'before it says its size',
    ],
  ])('%s', (_, bytes, named) => {
    expect(() => header(bytes, plenty)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    expect(() => header(bytes, plenty)).toThrow(named)
  })

  test('more pixels than the plan allows, from the header alone', async () => {
    const bytes = await picture().png().toBuffer()
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(16, 60_000)
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(20, 60_000)
    expect(() => header(bytes, 1e8)).toThrow(/60000 × 60000.*maxPixels/)
  })

  test('any JPEG, PNG or WebP that is cut off in its header gives an answer or INVALID_INPUT', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const whole = await picture().withMetadata({ orientation: 6 }).toFormat(format).toBuffer()
      for (let length = 0; length < whole.length; length++) {
        try {
          header(whole.subarray(0, length), plenty)
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_INPUT' })
        }
      }
    }
  })
})
