import { openRuntime } from '../ort/runtime.browser.js'
import { realmHost } from './host.js'
import type { RealmHost } from './protocol.js'

/** The realm's side in the page's own thread. */
export function hostHere(): RealmHost {
  return realmHost(openRuntime)
}
