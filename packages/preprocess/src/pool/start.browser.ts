import { wrap } from 'comlink'
import type { StartedWorker } from '../platform.js'
import type { WorkerApi } from './protocol.js'

export const startWorker = (url: string | URL | undefined): StartedWorker => {
  const worker =
    url === undefined
      ? // Bundlers find the worker by exactly this expression.
        new Worker(new URL('../worker.browser.js', import.meta.url), { type: 'module' })
      : new Worker(url, { type: 'module' })
  const ended = new AbortController()
  const gone = new Promise<string>((resolve) => {
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      resolve(event.message || `its script does not load (${url ?? 'worker.browser.js'})`)
      worker.terminate()
    })
    void watchLock(worker, ended.signal).then(resolve)
  })
  return {
    endpoint: worker,
    gone,
    hold: () => undefined,
    async end() {
      ended.abort()
      worker.terminate()
    },
  }
}

/**
 * Resolves when the worker has died. No event tells of a worker that was closed or killed, but its Web Lock is given to
 * the next who asks. Where there are no locks (an insecure page), such a death stays unseen.
 */
async function watchLock(worker: Worker, ended: AbortSignal): Promise<string> {
  const never = new Promise<never>(() => undefined)
  if (navigator.locks === undefined) return never
  const name = `tandem-preprocess-${crypto.randomUUID()}`
  await wrap<WorkerApi>(worker).ready(name)
  try {
    await navigator.locks.request(name, { signal: ended }, () => undefined)
  } catch {
    // Ended on purpose.
    return never
  }
  return 'it was closed or killed'
}
