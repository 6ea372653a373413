import { InferenceError } from '@tandem/sdk'
import type { Header } from './headers/index.js'
import type { Channels, Pixels } from './pixels.js'

/** The pixels as they are stored, through `sharp`: not turned by EXIF, no colour profile applied. */
export const decode = async (bytes: Uint8Array, header: Header): Promise<Pixels> => {
  const sharp = await loadSharp()
  const { data, info } = await sharp(bytes, {
    autoOrient: false,
    ignoreIcc: true,
    // The plan's limit was checked before; this one is against a decoder that finds more pixels than the header says.
    limitInputPixels: header.width * header.height,
    failOn: 'error',
    sequentialRead: true,
  })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels as Channels, data }
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
