import { transfer } from 'comlink'
import { execute } from '../execute.js'
import type { Decoder } from '../platform.js'
import { scratch } from '../scratch.js'
import { toWire, type WorkerApi } from './protocol.js'

/** The worker's side of the pool: runs plans and moves the results out. */
export const serve = (decoder: Decoder, ready: WorkerApi['ready']): WorkerApi => {
  const memory = scratch()
  return {
    ready,
    async run(plan, input) {
      try {
        const done = await execute(plan, input, decoder, memory)
        return transfer({ ok: true, done }, [done.tensor.data.buffer as ArrayBuffer])
      } catch (error) {
        return { ok: false, error: toWire(error) }
      }
    },
  }
}
