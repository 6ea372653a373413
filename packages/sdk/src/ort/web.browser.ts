import type { RuntimeRequest } from '../realm/protocol.js'
import type { Ort, Runtime } from './runtime.js'

/** Set by the Vite plugin: where it serves onnxruntime-web's files. */
declare const __TANDEM_RUNTIME_BASE__: string | undefined

/** onnxruntime-web, whichever of its files. */
export type WebOrt = Pick<typeof import('onnxruntime-web'), 'InferenceSession' | 'Tensor' | 'env'>

/** Sets onnxruntime-web up. Its own files come from beside its script, or from `base`: never from another host by itself. */
export function webRuntime(ort: WebOrt, { base, threads }: RuntimeRequest): Runtime {
  const { env } = ort
  if (threads !== undefined) env.wasm.numThreads = threads
  const served = base ?? (typeof __TANDEM_RUNTIME_BASE__ === 'string' ? __TANDEM_RUNTIME_BASE__ : undefined)
  if (served !== undefined) env.wasm.wasmPaths = new URL(served.replace(/\/*$/, '/'), location.href).href
  return { ort: ort as Ort, name: `onnxruntime-web ${env.versions.web ?? ''}`.trimEnd() }
}
