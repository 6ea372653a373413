/// <reference path="./comlink-node-adapter.d.ts" />
import { parentPort, workerData } from 'node:worker_threads'
import { expose, transfer } from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import { openRuntime } from '../ort/runtime.node.js'
import { realmHost } from './host.js'
import type { RealmHost } from './protocol.js'
import { toSend } from './send.js'

const { computing } = workerData as { computing: Int32Array }
const host = realmHost(openRuntime)

const ended = (): void => {
  Atomics.sub(computing, 0, 1)
  Atomics.notify(computing, 0)
}
const compute = async <T>(call: Promise<T>): Promise<T> => {
  const value = await call
  ended()
  return value
}
// However this thread ends, nobody must wait for it any longer.
process.on('exit', () => {
  Atomics.store(computing, 0, 0)
  Atomics.notify(computing, 0)
})

const exposed: RealmHost = {
  create: (request) => compute(host.create(request)),
  async run(request) {
    const { answer, transfer: buffers } = toSend(await compute(host.run(request)))
    return transfer(answer, buffers)
  },
  release: (session) => compute(host.release(session)),
}
if (parentPort === null) throw new Error('worker.node.js is the thread of a realm; load() starts it.')
expose(exposed, nodeEndpoint(parentPort))
ended()
