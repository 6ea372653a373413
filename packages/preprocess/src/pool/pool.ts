import { InferenceError } from '@tandem/sdk/error'
import type { Done } from '../execute.js'
import type { Packed } from '../input.js'
import type { Plan } from '../plan.js'
import type { Lane } from './lane.js'

export interface Pool {
  run(plan: Plan, packed: Packed, signal: AbortSignal | undefined): Promise<Pooled>
  dispose(): Promise<void>
}
export interface Pooled {
  readonly done: Done
  /** Milliseconds of waiting for a worker. */
  readonly queueMs: number
}

export interface PoolOptions {
  /** Lanes at most. */
  readonly workers: number
  /** Jobs that may wait for a lane. */
  readonly maxQueue: number
}

interface Job {
  readonly plan: Plan
  readonly packed: Packed
  readonly askedAt: number
  readonly resolve: (pooled: Pooled) => void
  readonly reject: (reason: unknown) => void
}

interface Slot {
  readonly lane: Lane
  job: Job | undefined
}

/**
 * Lanes are opened when there is work for them. Each has one job at a time and the others wait in one queue, so that a
 * job always goes to the least busy lane: nothing waits behind a large picture while a neighbour idles.
 */
export const pool = (open: () => Lane, options: PoolOptions): Pool => {
  const slots = new Set<Slot>()
  const waiting: Job[] = []
  let disposing: Promise<void> | undefined
  let onIdle: (() => void) | undefined

  const openSlot = (): Slot => {
    const slot: Slot = { lane: open(), job: undefined }
    slots.add(slot)
    // Comlink never settles a call whose worker has died, so the pool does. The next job opens a new lane.
    void slot.lane.gone.then((reason) => {
      slots.delete(slot)
      slot.job?.reject(crashed(reason))
      next()
    })
    return slot
  }

  const freeSlot = (): Slot | undefined => {
    for (const slot of slots) if (slot.job === undefined) return slot
    return slots.size < options.workers ? openSlot() : undefined
  }

  const next = (): void => {
    while (waiting.length > 0) {
      let slot: Slot | undefined
      try {
        slot = freeSlot()
      } catch (cause) {
        // A browser throws at once for a script of another origin, Node for a relative path.
        waiting.shift()?.reject(crashed(cause instanceof Error ? cause.message : String(cause)))
        continue
      }
      const job = slot && waiting.shift()
      if (slot === undefined || job === undefined) return
      void work(slot, job)
    }
    if ([...slots].every(({ job }) => job === undefined)) onIdle?.()
  }

  const work = async (slot: Slot, job: Job): Promise<void> => {
    const queueMs = performance.now() - job.askedAt
    slot.job = job
    slot.lane.hold(true)
    try {
      job.resolve({ done: await slot.lane.run(job.plan, job.packed), queueMs })
    } catch (error) {
      job.reject(error)
    }
    slot.job = undefined
    slot.lane.hold(false)
    next()
  }

  return {
    run: (plan, packed, signal) =>
      new Promise((resolve, reject) => {
        if (disposing !== undefined) return reject(disposed())
        const settled = (): void => signal?.removeEventListener('abort', onAbort)
        const job: Job = {
          plan,
          packed,
          askedAt: performance.now(),
          resolve: (pooled) => {
            settled()
            resolve(pooled)
          },
          reject: (reason) => {
            settled()
            reject(reason)
          },
        }
        // A waiting job leaves the queue; a running one keeps its lane until it ends, and only its caller goes.
        const onAbort = (): void => {
          const place = waiting.indexOf(job)
          if (place >= 0) waiting.splice(place, 1)
          job.reject(signal?.reason)
        }
        waiting.push(job)
        next()
        if (waiting.length > options.maxQueue) {
          waiting.pop()
          return reject(full(options))
        }
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    dispose() {
      disposing ??= (async () => {
        for (const job of waiting.splice(0)) job.reject(disposed())
        await new Promise<void>((resolve) => {
          onIdle = resolve
          next()
        })
        await Promise.all([...slots].map(({ lane }) => lane.end()))
      })()
      return disposing
    },
  }
}

const crashed = (reason: string): InferenceError =>
  new InferenceError(
    'REALM_CRASHED',
    `The preprocessing worker is gone: ${reason}. The next run starts a new one; if this input does it again, run it with host: 'inline' to see why.`,
    { data: { reason } },
  )

const disposed = (): InferenceError =>
  new InferenceError('DISPOSED', 'The preprocessor was disposed: make a new one with preprocessor().')

const full = ({ workers, maxQueue }: PoolOptions): InferenceError =>
  new InferenceError(
    'QUEUE_FULL',
    `${maxQueue} jobs wait already for ${workers} preprocessing workers: await earlier runs, or raise maxQueue.`,
    { data: { workers, maxQueue } },
  )
