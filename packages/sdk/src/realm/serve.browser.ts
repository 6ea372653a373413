import { expose, transfer } from 'comlink'
import { type WebOrt, webRuntime } from '../ort/web.browser.js'
import { realmHost } from './host.js'
import { holdLock } from './lock.browser.js'
import type { WorkerHost } from './protocol.js'
import { toSend } from './send.js'
import type { DeviceLost } from './start.browser.js'

/** Makes this worker a realm of `ort`. */
export function serve(ort: WebOrt): void {
  // A bundler that merges onnxruntime into this script makes it the script of onnxruntime's own threads, too.
  if (self.name.startsWith('em-pthread')) return
  const host = realmHost(async (request) => webRuntime(ort, request))
  const exposed: WorkerHost = {
    ...host,
    async create(request) {
      const answer = await host.create(request)
      if (request.device === 'webgpu' && answer.error === undefined) void watchDevice(ort)
      return answer
    },
    watch: holdLock,
    async run(request) {
      const { answer, transfer: buffers } = toSend(await host.run(request))
      return transfer(answer, buffers)
    },
  }
  expose(exposed)
}

/**
 * onnxruntime never recovers from a lost GPU device: the next call throws something odd and the one after hangs. So the realm says
 * so and is over.
 */
async function watchDevice(ort: WebOrt): Promise<void> {
  const { lost } = await ort.env.webgpu.device
  const { reason, message } = await lost
  // onnxruntime itself destroys its device with the last session, and makes a new one with the next.
  if (reason !== 'destroyed') postMessage({ lost: message || reason } satisfies DeviceLost)
}
