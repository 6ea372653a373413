/// <reference path="./comlink-node-adapter.d.ts" />
import { Worker } from 'node:worker_threads'
import { transfer, wrap } from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import { guardExit, requests, unguardExit } from './exit.node.js'
import type { WorkerHost } from './protocol.js'
import type { Endpoint } from './realm.js'

/** Starts a realm in a thread of this process. */
export function startWorker(workerUrl?: string | URL | undefined): Endpoint {
  const computing = new Int32Array(new SharedArrayBuffer(8))
  const url = workerUrl === undefined ? new URL('./worker.node.js', import.meta.url) : new URL(workerUrl)
  const worker = new Worker(url, { workerData: { computing }, execArgv: execArgv() })
  guardExit(computing)
  const host = wrap<WorkerHost>(nodeEndpoint(worker))
  // Read once: comlink makes a new proxy for each access.
  const { create, run, release } = host
  const compute = <T>(call: () => Promise<T>): Promise<T> => {
    Atomics.add(computing, requests, 1)
    return call()
  }
  let closed = false
  const died = (how: string): void => {
    unguardExit(computing)
    if (closed) return
    closed = true
    endpoint.onDeath(how)
  }
  worker.on('error', (error) => died(`error: ${error instanceof Error ? error.message : String(error)}`))
  worker.on('exit', (code) => died(`exit code ${code}`))
  worker.on('messageerror', (error) => died(`unreadable message: ${error.message}`))
  // Only work keeps the process alive, not a thread that waits for some.
  worker.unref()

  const endpoint: Endpoint = {
    remote: true,
    ready: host.watch(''),
    host: {
      create: (request, buffers) =>
        compute(() => create(transfer(request, [...buffers]))).catch((error: unknown) => {
          // It could not be sent, so the thread will not end it.
          Atomics.sub(computing, requests, 1)
          throw error
        }),
      run: (request, buffers) => compute(() => run(transfer(request, [...buffers]))),
      release: (session) => compute(() => release(session)),
    },
    onDeath: () => {},
    setBusy: (busy) => (busy ? worker.ref() : worker.unref()),
    close() {
      closed = true
      void worker.terminate()
    },
  }
  return endpoint
}

/** The process's own flags, without the one that is for a script given on the command line and ends any other. */
function execArgv(): string[] {
  return process.execArgv.filter((flag) => !flag.startsWith('--input-type'))
}
