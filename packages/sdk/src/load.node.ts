import { type LoadOptions, loadOn, type Platform } from './load.js'
import type { LocalSession } from './local.js'
import { openRuntime } from './ort/runtime.node.js'
import { probe } from './probe.node.js'
import { realmHost } from './realm/host.js'
import { inlineEndpoint } from './realm/inline.js'
import { realms } from './realm/realms.js'
import { startWorker } from './realm/start.node.js'
import type { Model } from './session.js'
import { readModel } from './source/read.node.js'
import type { ModelSource } from './source/source.js'

// Each model has its own thread, so that models run side by side and a server's health does not wait for one.
const workers = realms({ shared: false })
// This thread has one onnxruntime.
const inline = realms({ shared: true })

const platform: Platform = {
  probe,
  readModel,
  take: (_runtime, { host, workerUrl }) =>
    host === 'inline'
      ? inline.take('inline', () => inlineEndpoint(() => realmHost(openRuntime)))
      : workers.take(String(workerUrl ?? ''), () => startWorker(workerUrl)),
  absolute: String,
  give: (realm, reclaim) => (realm.endpoint.remote ? workers : inline).give(realm, reclaim),
}

/** {@inheritDoc loadOn} */
export function load<M extends Model = Model>(
  source: ModelSource,
  options: LoadOptions = {},
): Promise<LocalSession<M>> {
  return loadOn<M>(platform, source, options)
}
