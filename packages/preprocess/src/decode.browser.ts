import { readCanvas } from './canvas.browser.js'
import type { Header } from './headers/index.js'
import type { Pixels } from './pixels.js'
import type { Scratch } from './scratch.js'

/**
 * The pixels as they are stored, the same as `sharp` gives in Node.
 *
 * An ImageDecoder gives straight alpha and 8 of 16 bits, but of a JPEG and a lossy WebP it gives the colours at half
 * resolution: made into RGB by the browser they are up to 44 levels off (Chromium 156). A canvas makes them as
 * libjpeg and libwebp do everywhere, to the bit, so those go through one.
 */
export const decode = async (bytes: Uint8Array, header: Header, memory: Scratch): Promise<Pixels> => {
  const type = `image/${header.format.toLowerCase()}`
  const direct =
    header.alpha && typeof ImageDecoder === 'function' && (await ImageDecoder.isTypeSupported(type))
  const pixels = direct ? await decodeFrame(bytes, type, header, memory) : undefined
  if (pixels !== undefined) return pixels
  const bitmap = await createImageBitmap(new Blob(withoutExif(bytes, header), { type }), {
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

/**
 * The file in parts, without EXIF. Chromium 156 turns a bitmap by it even with `imageOrientation: 'none'`, and what is
 * not there turns nothing in any browser. A WebP's chunk is only renamed, since its size stands elsewhere too.
 */
function withoutExif(bytes: Uint8Array, { format, exif }: Header): BlobPart[] {
  const parts: BlobPart[] = []
  let at = 0
  for (const { start, end } of exif) {
    parts.push(bytes.slice(at, start))
    if (format === 'WebP') parts.push('none')
    at = format === 'WebP' ? start + 4 : end
  }
  return [...parts, bytes.slice(at)]
}

/** Undefined when the frame does not hold RGB. */
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
      const stored = rgbOrders[image.format ?? '']
      if (stored === undefined) return undefined
      const length = width * height * 4
      const data = memory.bytes('pixels', length).subarray(0, length)
      await image.copyTo(data, { layout: [{ offset: 0, stride: width * 4 }] })
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
