import type { RuntimeRequest } from '../realm/protocol.js'
import type { Ort, Runtime } from './runtime.js'

/** onnxruntime-web, whichever of its files. */
export type WebOrt = Pick<typeof import('onnxruntime-web'), 'InferenceSession' | 'Tensor' | 'env'>

/** Sets onnxruntime-web up. Its own files come from beside its script, or from `base`: never from another host by itself. */
export function webRuntime(ort: WebOrt, { base, threads }: RuntimeRequest): Runtime {
  const { env } = ort
  if (threads !== undefined) env.wasm.numThreads = threads
  if (base !== undefined) env.wasm.wasmPaths = base.replace(/\/*$/, '/')
  return { ort: ort as Ort, name: `onnxruntime-web ${env.versions.web ?? ''}`.trimEnd() }
}
