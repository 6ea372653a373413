/// <reference path="./comlink-node-adapter.d.ts" />
import { parentPort, workerData } from 'node:worker_threads'
import { expose, transfer } from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import { openRuntime } from '../ort/runtime.node.js'
import { loading, requests, serving, state } from './exit.node.js'
import { realmHost } from './host.js'
import type { WorkerHost } from './protocol.js'
import { toSend } from './send.js'

const { computing } = workerData as { computing: Int32Array }
const host = realmHost(openRuntime)

const ended = (): void => {
  Atomics.sub(computing, requests, 1)
  Atomics.notify(computing, requests)
}
const compute = async <T>(call: Promise<T>): Promise<T> => {
  const value = await call
  ended()
  return value
}
// However this thread ends, nobody must wait for it any longer.
process.on('exit', () => {
  Atomics.store(computing, requests, 0)
  Atomics.notify(computing, requests)
})

const exposed: WorkerHost = {
  // Node tells of a thread's death by itself.
  watch: async () => {},
  create: (request) => compute(host.create(request)),
  async run(request) {
    const { answer, transfer: buffers } = toSend(await compute(host.run(request)))
    return transfer(answer, buffers)
  },
  release: (session) => compute(host.release(session)),
}
if (parentPort === null) throw new Error('worker.node.js is the thread of a realm; load() starts it.')
// Unless the process is ending, which would not wait for a request that begins now.
if (Atomics.compareExchange(computing, state, loading, serving) === loading)
  expose(exposed, nodeEndpoint(parentPort))
