import { InferenceError } from '../error.js'
import type { Ort, Runtime } from './runtime.js'
import { ortVersion } from './version.js'

/** onnxruntime-node, which the user installs. */
export async function openRuntime(): Promise<Runtime> {
  const ort = await import('onnxruntime-node').catch((cause: unknown) => {
    throw new InferenceError(
      'DEVICE_UNAVAILABLE',
      `onnxruntime-node could not be loaded; install it: npm install onnxruntime-node@${ortVersion}`,
      { cause },
    )
  })
  const { InferenceSession, Tensor, env } = ort
  return { ort: { InferenceSession, Tensor } as Ort, name: `onnxruntime-node ${env.versions.node}` }
}
