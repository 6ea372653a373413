import { transfer, wrap } from 'comlink'
import { invalid } from '../check.js'
import { type Done, execute } from '../execute.js'
import type { Packed } from '../input.js'
import type { Plan } from '../plan.js'
import type { Decoder, StartedWorker } from '../platform.js'
import { scratch } from '../scratch.js'
import { fromWire, type WorkerApi } from './protocol.js'

/** What runs one job at a time: a worker, or this thread. */
export interface Lane {
  run(plan: Plan, packed: Packed): Promise<Done>
  /** Resolves with the reason once it can run nothing more. A run may then never settle. */
  readonly gone: Promise<string>
  /** Whether the process has to wait for it. */
  hold(held: boolean): void
  end(): Promise<void>
}

export const workerLane = (worker: StartedWorker): Lane => {
  const api = wrap<WorkerApi>(worker.endpoint)
  return {
    async run(plan, { input, transfer: buffers }) {
      await worker.ready
      const answer = await api.run(plan, transfer(input, [...buffers])).catch((cause: unknown) => {
        // The answer's failures are values, so this one is the message's: something in the input can't be cloned.
        throw invalid(
          'input',
          `cannot be sent to a worker: ${cause instanceof Error ? cause.message : String(cause)}`,
        )
      })
      if (!answer.ok) throw fromWire(answer.error)
      return answer.done
    },
    gone: worker.gone,
    hold: worker.hold,
    end: worker.end,
  }
}

/** For those who are in a worker already. */
export const inlineLane = (decoder: Decoder): Lane => {
  const memory = scratch()
  return {
    run: (plan, { input }) => execute(plan, input, decoder, memory),
    gone: new Promise(() => undefined),
    hold: () => undefined,
    end: async () => undefined,
  }
}
