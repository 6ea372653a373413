/// <reference path="./comlink-node-adapter.d.ts" />
import { Worker } from 'node:worker_threads'
import { transfer, wrap } from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import { ortVersion } from '../ort/version.js'
import { guardExit, unguardExit } from './exit.node.js'
import type { RealmHost } from './protocol.js'
import type { Endpoint } from './realm.js'

/** Starts a realm in a thread of this process. */
export function startWorker(workerUrl?: string | URL | undefined): Endpoint {
  const computing = new Int32Array(new SharedArrayBuffer(4))
  // Loading itself counts as one request; the worker ends it when it is ready.
  Atomics.add(computing, 0, 1)
  guardExit(computing)
  const url = workerUrl === undefined ? new URL('./worker.node.js', import.meta.url) : new URL(workerUrl)
  const worker = new Worker(url, { workerData: { computing }, execArgv: execArgv() })
  const host = wrap<RealmHost>(nodeEndpoint(worker))
  // Read once: comlink makes a new proxy for each access.
  const { create, run, release } = host
  const compute = <T>(call: () => Promise<T>): Promise<T> => {
    Atomics.add(computing, 0, 1)
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
    runtime: `onnxruntime-node@${ortVersion}`,
    host: {
      create: (request, buffers) => compute(() => create(transfer(request, [...buffers]))),
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
