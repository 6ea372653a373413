import { type LoadOptions, loadOn, type Platform } from './load.js'
import type { LocalSession } from './local.js'
import { probe } from './probe.browser.js'
import { inlineEndpoint } from './realm/inline.js'
import type { RealmHost } from './realm/protocol.js'
import { realms } from './realm/realms.js'
import { startWorker } from './realm/start.browser.js'
import type { Model } from './session.js'
import { absolute, readModel } from './source/read.browser.js'
import type { ModelSource } from './source/source.js'

// Sessions of one runtime file share a worker: it is large, and overlapping runs in one page gain nothing.
const workers = realms({ shared: true })
const inline = realms({ shared: true })

/** Only a page that asks for `host: 'inline'` downloads the realm's side. */
const hostHere = async (): Promise<RealmHost> => (await import('./realm/host.browser.js')).hostHere()

const platform: Platform = {
  probe,
  readModel,
  take(runtime, { host, workerUrl }) {
    const key = JSON.stringify([runtime, workerUrl])
    if (host === 'inline') return inline.take(key, () => inlineEndpoint(hostHere))
    return workers.take(key, () => startWorker(runtime.asset, workerUrl))
  },
  absolute,
  give: (realm, reclaim) => (realm.endpoint.remote ? workers : inline).give(realm, reclaim),
}

/** {@inheritDoc loadOn} */
export function load<M extends Model = Model>(
  source: ModelSource,
  options: LoadOptions = {},
): Promise<LocalSession<M>> {
  return loadOn<M>(platform, source, options)
}
