import { transfer, wrap } from 'comlink'
import { onLockFreed } from './lock.browser.js'
import type { RealmHost } from './protocol.js'
import type { Endpoint } from './realm.js'

/** What the worker offers beside the host. */
export interface BrowserRealm extends RealmHost {
  /** Takes the lock by which its death is noticed. */
  watch(lock: string): Promise<void>
}

/** Starts a realm in a Web Worker. */
export function startWorker(workerUrl?: string | URL | undefined): Endpoint {
  const worker =
    workerUrl === undefined
      ? new Worker(new URL('./worker.browser.js', import.meta.url), { type: 'module', name: 'tandem realm' })
      : new Worker(workerUrl, { type: 'module', name: 'tandem realm' })
  const host = wrap<BrowserRealm>(worker)
  // Read once: comlink makes a new proxy for each access.
  const { create, run, release } = host
  const ended = new AbortController()
  const died = (how: string): void => {
    if (ended.signal.aborted) return
    ended.abort()
    worker.terminate()
    endpoint.onDeath(how)
  }
  worker.addEventListener('error', (event) => {
    // Without a message it is the script itself that could not be loaded.
    died(
      event.message ||
        'its script could not be loaded; where the bundler does not follow it, name it with workerUrl',
    )
  })
  worker.addEventListener('messageerror', () => died('unreadable message'))
  const lock = `tandem realm ${Math.random()} ${performance.now()}`
  void host.watch(lock).then(() => onLockFreed(lock, ended.signal, () => died('the worker ended')))

  const endpoint: Endpoint = {
    remote: true,
    host: {
      create: (request, buffers) => create(transfer(request, [...buffers])),
      run: (request, buffers) => run(transfer(request, [...buffers])),
      release: (session) => release(session),
    },
    onDeath: () => {},
    setBusy: () => {},
    close() {
      ended.abort()
      worker.terminate()
    },
  }
  return endpoint
}
