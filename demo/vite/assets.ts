import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import { modelFiles } from '../scripts/models.mjs'
import { landscape } from '../src/samples/landscape.js'
import { portrait } from '../src/samples/portrait.js'
import { rain } from '../src/samples/rain.js'
import { speech } from '../src/samples/speech.js'
import { png } from './png.js'
import { wav } from './wav.js'

interface Asset {
  readonly type: string
  bytes(): Buffer | Promise<Buffer>
}

/** What the page fetches from its own origin besides its code. */
const assets: { readonly [path: string]: Asset } = {
  'models/blazeface.onnx': model(modelFiles.blazeface),
  'models/silero_vad.onnx': model(modelFiles.silero_vad),
  'samples/portrait.png': { type: 'image/png', bytes: () => png(portrait()) },
  'samples/landscape.png': { type: 'image/png', bytes: () => png(landscape()) },
  'samples/speech.wav': { type: 'audio/wav', bytes: () => wav(speech()) },
  'samples/rain.wav': { type: 'audio/wav', bytes: () => wav(rain()) },
}

function model(file: string): Asset {
  return { type: 'application/octet-stream', bytes: () => readFile(file) }
}

/** Puts the models and the samples, made by code, beside the built page; while developing, answers for them. */
export function assetFiles(): Plugin {
  return {
    name: 'tandem-demo-assets',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://page')
        const asset = assets[pathname.slice(1)]
        if (asset === undefined) return next()
        response.setHeader('content-type', asset.type)
        response.end(await asset.bytes())
      })
    },
    async generateBundle() {
      for (const [fileName, asset] of Object.entries(assets)) {
        this.emitFile({ type: 'asset', fileName, source: await asset.bytes() })
      }
    },
  }
}
