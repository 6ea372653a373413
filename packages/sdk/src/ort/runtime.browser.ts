import { InferenceError } from '../error.js'
import type { RuntimeRequest } from '../realm/protocol.js'
import type { Ort, Runtime } from './runtime.js'

/** Set by the Vite plugin: where it serves onnxruntime-web's files. */
declare const __TANDEM_RUNTIME_BASE__: string | undefined

/** The part of onnxruntime-web's settings that we touch. */
interface Env {
  readonly versions: { readonly web?: string }
  readonly wasm: { numThreads?: number; wasmPaths?: string }
}

/**
 * The smallest file of onnxruntime-web that serves the device: plain WASM 14 MB, WebGPU through JSPI 17 MB, through asyncify
 * 27 MB. Written out one by one, since bundlers follow literal imports only.
 */
const files: { readonly [asset: string]: () => Promise<unknown> } = {
  wasm: () => import('onnxruntime-web/wasm'),
  jspi: () => import('onnxruntime-web/jspi'),
  webgpu: () => import('onnxruntime-web/webgpu'),
}

/** onnxruntime-web, which the user installs. Never fetched from another host than the page's own or `base`. */
export async function openRuntime({ asset, base, threads }: RuntimeRequest): Promise<Runtime> {
  const loaded = await files[asset]?.().catch((cause: unknown) => {
    throw new InferenceError(
      'DEVICE_UNAVAILABLE',
      `onnxruntime-web/${asset} could not be loaded; install it (npm install onnxruntime-web@1.30.0) and check that the page serves it.`,
      { cause },
    )
  })
  const ort = loaded as Ort & { readonly env: Env }
  const { env } = ort
  if (threads !== undefined) env.wasm.numThreads = threads
  const served = base ?? (typeof __TANDEM_RUNTIME_BASE__ === 'string' ? __TANDEM_RUNTIME_BASE__ : undefined)
  if (served !== undefined) env.wasm.wasmPaths = new URL(served.replace(/\/*$/, '/'), location.href).href
  return { ort, name: `onnxruntime-web ${env.versions.web ?? ''}`.trimEnd() }
}
