// A real realm that closes itself when it is asked to run, before it begins: in Chromium nobody is told.
import '../../packages/sdk/dist/realm/worker.wasm.browser.js'

const closeOnRun = (event: MessageEvent<{ path?: readonly string[] }>): void => {
  if (event.data.path?.[0] !== 'run') return
  event.stopImmediatePropagation()
  self.close()
}
self.addEventListener('message', closeOnRun, { capture: true })
