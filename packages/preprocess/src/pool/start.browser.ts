import { wrap } from 'comlink'
import type { StartedWorker } from '../platform.js'
import { late } from './late.js'
import type { WorkerApi } from './protocol.js'

export const startWorker = (url: string | URL | undefined): StartedWorker => {
  const worker =
    url === undefined
      ? // Bundlers find the worker by exactly this expression.
        new Worker(new URL('../worker.browser.js', import.meta.url), { type: 'module' })
      : new Worker(url, { type: 'module' })
  const ended = new AbortController()
  // Not crypto.randomUUID(), which a page without HTTPS has not.
  const lock = `tandem preprocess ${Math.random()} ${performance.now()}`
  const ready = wrap<WorkerApi>(worker).ready(lock)
  const died = new Promise<string>((resolve) => {
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      resolve(event.message || `its script does not load (${url ?? 'worker.browser.js'})`)
      worker.terminate()
    })
    void ready.then(() => released(lock, ended.signal)).then(resolve)
  })
  const tooLate = late(ready, died, url)
  void tooLate.then(() => worker.terminate())
  return {
    endpoint: worker,
    ready,
    gone: Promise.race([died, tooLate]),
    hold: () => undefined,
    async end() {
      ended.abort()
      worker.terminate()
    },
  }
}

/**
 * Resolves when the worker has died. No event tells of one that was closed or killed, but its Web Lock is given to the
 * next who asks. Where there are no locks (an insecure page), such a death stays unseen.
 */
async function released(lock: string, ended: AbortSignal): Promise<string> {
  const never = new Promise<never>(() => undefined)
  if (navigator.locks === undefined) return never
  try {
    await navigator.locks.request(lock, { signal: ended }, () => undefined)
  } catch {
    // Ended on purpose.
    return never
  }
  return 'it was closed or killed'
}
