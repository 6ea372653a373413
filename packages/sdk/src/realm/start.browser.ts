import { transfer, wrap } from 'comlink'
import { onLockFreed } from './lock.browser.js'
import type { WorkerHost } from './protocol.js'
import type { Endpoint } from './realm.js'

/** A message of the worker's own accord. */
export interface DeviceLost {
  readonly lost: string
}

/**
 * A worker per file of onnxruntime-web. Each imports its own statically, which works in every worker format of every bundler,
 * threads included; and each URL is written out, since bundlers follow literal ones only.
 */
const workers = {
  wasm: () => new Worker(new URL('./worker.wasm.browser.js', import.meta.url), { type: 'module' }),
  jspi: () => new Worker(new URL('./worker.jspi.browser.js', import.meta.url), { type: 'module' }),
  webgpu: () => new Worker(new URL('./worker.webgpu.browser.js', import.meta.url), { type: 'module' }),
}

type Asset = keyof typeof workers

/** Starts a realm in a Web Worker. */
export function startWorker(asset: string, workerUrl?: string | URL | undefined): Endpoint {
  const worker =
    workerUrl === undefined ? workers[asset as Asset]() : new Worker(workerUrl, { type: 'module' })
  const host = wrap<WorkerHost>(worker)
  // Read once: comlink makes a new proxy for each access.
  const { create, run, release } = host
  const ended = new AbortController()
  const died = (how: string, code?: 'DEVICE_LOST'): void => {
    if (ended.signal.aborted) return
    ended.abort()
    worker.terminate()
    endpoint.onDeath(how, code)
  }
  worker.addEventListener('message', ({ data }: MessageEvent<Partial<DeviceLost>>) => {
    if (data.lost !== undefined) died(`the GPU device was lost: ${data.lost}`, 'DEVICE_LOST')
  })
  worker.addEventListener('error', (event) => died(event.message || 'its script could not be loaded'))
  worker.addEventListener('messageerror', () => died('unreadable message'))
  const lock = `tandem realm ${Math.random()} ${performance.now()}`
  const ready = host.watch(lock).then(() => onLockFreed(lock, ended.signal, () => died('the worker ended')))

  const endpoint: Endpoint = {
    remote: true,
    ready,
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
