import type { OpenRuntime } from '../ort/runtime.js'
import { realmHost } from './host.js'
import type { Endpoint } from './realm.js'

/** A realm in this very thread: for those who already are in a worker, or whose model takes less than a message does. */
export function inlineEndpoint(openRuntime: OpenRuntime): Endpoint {
  const host = realmHost(openRuntime)
  return {
    host,
    remote: false,
    runtime: 'onnxruntime',
    onDeath: () => {},
    setBusy: () => {},
    close: () => {},
  }
}
