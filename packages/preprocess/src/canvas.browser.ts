import { InferenceError } from '@tandem/sdk/error'
import type { Pixels } from './pixels.js'

/** The pixels of a bitmap, read back from a canvas. */
export const readCanvas = (bitmap: ImageBitmap): Pixels => {
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (context === null) {
    throw new InferenceError('OUT_OF_MEMORY', `The browser gave no canvas of ${width} × ${height} pixels.`, {
      data: { width, height },
    })
  }
  context.drawImage(bitmap, 0, 0)
  return { width, height, channels: 4, data: context.getImageData(0, 0, width, height).data }
}
