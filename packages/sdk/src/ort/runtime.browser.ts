import { InferenceError } from '../error.js'
import type { RuntimeRequest } from '../realm/protocol.js'
import type { Runtime } from './runtime.js'
import { ortVersion } from './version.js'
import { type WebOrt, webRuntime } from './web.browser.js'

/**
 * The smallest file of onnxruntime-web that serves the device: plain WASM 14 MB, WebGPU through JSPI 17 MB, through asyncify
 * 27 MB. Written out one by one, since bundlers follow literal imports only.
 */
const files: { readonly [asset: string]: () => Promise<WebOrt> } = {
  wasm: () => import('onnxruntime-web/wasm'),
  jspi: () => import('onnxruntime-web/jspi'),
  webgpu: () => import('onnxruntime-web/webgpu'),
}

/** onnxruntime-web in this very thread. */
export async function openRuntime(request: RuntimeRequest): Promise<Runtime> {
  const ort = await files[request.asset]?.().catch((cause: unknown) => {
    throw notInstalled(`onnxruntime-web/${request.asset} could not be loaded`, cause)
  })
  if (ort === undefined) throw notInstalled(`There is no onnxruntime-web/${request.asset}`, undefined)
  return webRuntime(ort, request)
}

function notInstalled(problem: string, cause: unknown): InferenceError {
  return new InferenceError(
    'DEVICE_UNAVAILABLE',
    `${problem}; install it (npm install onnxruntime-web@${ortVersion}) and check that the page serves its files.`,
    { cause },
  )
}
