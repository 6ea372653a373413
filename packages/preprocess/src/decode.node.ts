import { InferenceError } from '@tandem/sdk/error'
import type { Header } from './headers/index.js'
import type { Channels, Pixels } from './pixels.js'

/** The pixels as they are stored, through `sharp`: not turned by EXIF, no colour profile applied. */
export const decode = async (bytes: Uint8Array, header: Header): Promise<Pixels> => {
  const sharp = await loadSharp()
  const file = sharp(bytes, {
    autoOrient: false,
    ignoreIcc: true,
    // The plan's limit was checked before; this one is against a decoder that finds more pixels than the header says.
    limitInputPixels: header.width * header.height,
    failOn: 'error',
    sequentialRead: true,
  })
  const coloured = header.cmyk
    ? file.pipelineColourspace('cmyk').toColourspace('cmyk')
    : file.toColourspace('srgb')
  const { data, info } = await coloured.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height } = info
  if (header.cmyk) return { width, height, channels: 3, data: inkToLight(data) }
  return { width, height, channels: info.channels as Channels, data }
}

/** CMYK to RGB as browsers and Pillow do it; sharp would take an ink profile for it. In place. */
function inkToLight(data: Uint8Array): Uint8Array {
  let o = 0
  for (let p = 0; p < data.length; p += 4) {
    const light = 255 - (data[p + 3] as number)
    for (let c = 0; c < 3; c++) data[o++] = Math.round(((255 - (data[p + c] as number)) * light) / 255)
  }
  return data.subarray(0, o)
}

type Sharp = typeof import('sharp')['default']
let loaded: Promise<Sharp> | undefined

/** At the first picture, not at import: raw pixels and recordings need no decoder. */
function loadSharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(
    (module) => module.default,
    (cause: unknown) => {
      loaded = undefined
      throw new InferenceError(
        'UNSUPPORTED',
        'Decoding pictures in Node needs the package sharp, which is not installed or does not load: npm install sharp. Raw pixels { width, height, data } need no decoder',
        { cause },
      )
    },
  )
  return loaded
}
