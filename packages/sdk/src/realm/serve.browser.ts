import { expose, transfer } from 'comlink'
import { type WebOrt, webRuntime } from '../ort/web.browser.js'
import { realmHost } from './host.js'
import { holdLock } from './lock.browser.js'
import { toSend } from './send.js'
import type { BrowserRealm } from './start.browser.js'

/** Makes this worker a realm of `ort`. */
export function serve(ort: WebOrt): void {
  // A bundler that merges onnxruntime into this script makes it the script of onnxruntime's own threads, too.
  if (self.name.startsWith('em-pthread')) return
  const host = realmHost(async (request) => webRuntime(ort, request))
  const exposed: BrowserRealm = {
    ...host,
    watch: holdLock,
    async run(request) {
      const { answer, transfer: buffers } = toSend(await host.run(request))
      return transfer(answer, buffers)
    },
  }
  expose(exposed)
}
