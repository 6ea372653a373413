import { readCanvas } from './canvas.browser.js'
import type { Header } from './headers/index.js'
import type { Pixels } from './pixels.js'
import type { Scratch } from './scratch.js'

/**
 * The pixels as they are stored. An ImageDecoder gives them in about half the time of a canvas, and with straight alpha;
 * browsers without one go through a canvas, which loses colour where a picture is nearly transparent.
 */
export const decode = async (bytes: Uint8Array, header: Header, memory: Scratch): Promise<Pixels> => {
  const type = `image/${header.format.toLowerCase()}`
  if (typeof ImageDecoder === 'function' && (await ImageDecoder.isTypeSupported(type))) {
    const pixels = await decodeFrame(bytes, type, header, memory)
    if (pixels !== undefined) return pixels
  }
  const bitmap = await createImageBitmap(new Blob([bytes.slice()], { type }), {
    imageOrientation: 'none',
    colorSpaceConversion: 'none',
    premultiplyAlpha: 'none',
  })
  try {
    return readCanvas(bitmap)
  } finally {
    bitmap.close()
  }
}

/** Undefined when the frame's pixels cannot be had as RGBA. */
async function decodeFrame(
  bytes: Uint8Array,
  type: string,
  { width, height }: Header,
  memory: Scratch,
): Promise<Pixels | undefined> {
  const decoder = new ImageDecoder({ data: bytes.slice(), type, colorSpaceConversion: 'none' })
  try {
    const { image } = await decoder.decode({ frameIndex: 0, completeFramesOnly: true })
    try {
      const visible = image.visibleRect
      if (visible?.width !== width || visible.height !== height) return undefined
      const length = width * height * 4
      const data = memory.bytes('pixels', length).subarray(0, length)
      const stored = rgbOrders[image.format ?? '']
      // A browser that cannot convert ignores `format`, and its frame has another size.
      if (stored === undefined && image.allocationSize({ format: 'RGBA' }) !== length) return undefined
      await image.copyTo(
        data,
        stored === undefined ? { format: 'RGBA' } : { layout: [{ offset: 0, stride: width * 4 }] },
      )
      if (stored === 'BGR') swapRedAndBlue(data)
      return { width, height, channels: 4, data }
    } finally {
      image.close()
    }
  } finally {
    decoder.close()
  }
}

/** The frame formats that hold four bytes a pixel already, and the order of their colours. */
const rgbOrders: Readonly<Record<string, 'RGB' | 'BGR' | undefined>> = {
  RGBA: 'RGB',
  RGBX: 'RGB',
  BGRA: 'BGR',
  BGRX: 'BGR',
}

function swapRedAndBlue(data: Uint8Array): void {
  for (let p = 0; p < data.length; p += 4) {
    const blue = data[p] as number
    data[p] = data[p + 2] as number
    data[p + 2] = blue
  }
}
