import { expose, transfer } from 'comlink'
import { openRuntime } from '../ort/runtime.browser.js'
import { realmHost } from './host.js'
import { holdLock } from './lock.browser.js'
import { toSend } from './send.js'
import type { BrowserRealm } from './start.browser.js'

const host = realmHost(openRuntime)

const exposed: BrowserRealm = {
  ...host,
  watch: holdLock,
  async run(request) {
    const { answer, transfer: buffers } = toSend(await host.run(request))
    return transfer(answer, buffers)
  },
}
expose(exposed)
