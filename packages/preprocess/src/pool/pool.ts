import { InferenceError } from '@tandem/sdk'
import { type Remote, transfer, wrap } from 'comlink'
import { invalid } from '../check.js'
import type { Done } from '../execute.js'
import type { Packed } from '../input.js'
import type { Plan } from '../plan.js'
import type { StartedWorker } from '../platform.js'
import { fromWire, type WorkerApi } from './protocol.js'

/** Where plans are run: a pool of workers, or this thread. */
export interface Host {
  run(plan: Plan, packed: Packed, signal: AbortSignal | undefined): Promise<Hosted>
  dispose(): Promise<void>
}
export interface Hosted {
  readonly done: Done
  /** Milliseconds of waiting for a worker. */
  readonly queueMs: number
}

export interface PoolOptions {
  readonly workers: number
  /** Jobs that may wait for a worker. */
  readonly maxQueue: number
}

interface Job {
  readonly plan: Plan
  readonly packed: Packed
  readonly askedAt: number
  resolve(hosted: Hosted): void
  reject(reason: unknown): void
}

interface Slot {
  readonly worker: StartedWorker
  readonly api: Remote<WorkerApi>
  job: Job | undefined
}

/**
 * Workers start when there is work for them. Each has one job at a time and the others wait in one queue, so that a job
 * always goes to a worker that is free: nothing waits behind a large picture while a neighbour idles.
 */
export const pool = (start: () => StartedWorker, options: PoolOptions): Host => {
  const slots = new Set<Slot>()
  const waiting: Job[] = []
  let disposing: Promise<void> | undefined
  let onIdle: (() => void) | undefined

  const open = (): Slot => {
    const worker = start()
    const slot: Slot = { worker, api: wrap<WorkerApi>(worker.endpoint), job: undefined }
    slots.add(slot)
    // Comlink never settles a call whose worker has died, so the pool does.
    worker.gone.then((reason) => {
      slots.delete(slot)
      slot.job?.reject(crashed(reason))
      next()
    })
    return slot
  }

  const idle = (): Slot | undefined => {
    for (const slot of slots) if (slot.job === undefined) return slot
    return slots.size < options.workers ? open() : undefined
  }

  const next = (): void => {
    while (waiting.length > 0) {
      const slot = idle()
      const job = slot && waiting.shift()
      if (slot === undefined || job === undefined) return
      void work(slot, job)
    }
    if ([...slots].every((slot) => slot.job === undefined)) onIdle?.()
  }

  const work = async (slot: Slot, job: Job): Promise<void> => {
    slot.job = job
    slot.worker.hold(true)
    const queueMs = performance.now() - job.askedAt
    try {
      const { input, transfer: buffers } = job.packed
      const answer = await slot.api.run(job.plan, transfer(input, [...buffers]))
      if (answer.ok) job.resolve({ done: answer.done, queueMs })
      else job.reject(fromWire(answer.error))
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      job.reject(invalid('input', `cannot be sent to a worker: ${reason}`))
    }
    slot.job = undefined
    slot.worker.hold(false)
    next()
  }

  return {
    run(plan, packed, signal) {
      if (disposing !== undefined) return Promise.reject(disposed())
      if (waiting.length >= options.maxQueue) {
        return Promise.reject(
          new InferenceError(
            'QUEUE_FULL',
            `${waiting.length} pictures or recordings wait for ${options.workers} preprocessing workers: await earlier runs, or raise maxQueue`,
            { data: { waiting: waiting.length, workers: options.workers } },
          ),
        )
      }
      return new Promise((resolve, reject) => {
        const job: Job = { plan, packed, askedAt: performance.now(), resolve, reject }
        const onAbort = (): void => {
          const place = waiting.indexOf(job)
          if (place >= 0) waiting.splice(place, 1)
          // A running job keeps its worker until it ends; only its caller goes.
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        job.resolve = (hosted) => {
          signal?.removeEventListener('abort', onAbort)
          resolve(hosted)
        }
        job.reject = (reason) => {
          signal?.removeEventListener('abort', onAbort)
          reject(reason)
        }
        waiting.push(job)
        next()
      })
    },
    dispose() {
      disposing ??= (async () => {
        for (const job of waiting.splice(0)) job.reject(disposed())
        await new Promise<void>((resolve) => {
          onIdle = resolve
          next()
        })
        await Promise.all([...slots].map(({ worker }) => worker.end()))
      })()
      return disposing
    },
  }
}

const crashed = (reason: string): InferenceError =>
  new InferenceError(
    'REALM_CRASHED',
    `The preprocessing worker is gone: ${reason}. The next run starts a new one; if it is the input that does it, run it with host: 'inline' to see why`,
    { data: { reason } },
  )

const disposed = (): InferenceError =>
  new InferenceError('DISPOSED', 'The preprocessor was disposed: make a new one with preprocessor()')
