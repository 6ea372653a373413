import { longestDelayMs } from '../delay.js'
import { InferenceError } from '../error.js'
import type { Clock, Timer } from './clock.js'

/** One session's place in the queue: how many of its calls may wait, and how many do. */
export interface Lane {
  readonly name: string
  readonly maxQueue: number
  waiting: number
}

/** An empty lane. Without `maxQueue` any number of calls may wait. */
export function newLane(name: string, maxQueue: number = Number.POSITIVE_INFINITY): Lane {
  return { name, maxQueue, waiting: 0 }
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly deadlineMs?: number | undefined
  /** Higher first, 0 by default; equals keep their order. */
  readonly priority?: number | undefined
}

export type Work<T> = (waitedMs: number) => Promise<T>

/** One thing at a time, in order. */
export interface Fifo {
  /**
   * Runs the work when all before it have ended; it is given how long it waited (ms). `admit` makes the work, at once and only
   * where the call is let in. An abort or a deadline rejects at once: a waiting call leaves the queue, a running one keeps its
   * turn until it really ends. A failure is its own call's only.
   *
   * @throws InferenceError INVALID_INPUT (options), QUEUE_FULL, DEADLINE, or what `end` and `drop` were given; or `signal.reason`
   */
  push<T>(lane: Lane, admit: () => Work<T>, options?: CallOptions): Promise<T>
  /** Rejects the waiting calls of a lane. The running one goes on. */
  drop(lane: Lane, error: InferenceError): void
  /** Rejects everything, running or waiting, now and later. */
  end(error: InferenceError): void
  /** Called whenever the queue starts or stops having anything to do. */
  onBusy: (busy: boolean) => void
}

interface Call {
  readonly lane: Lane
  readonly priority: number
  /** Begins the work, and calls back when it has ended, well or not. */
  start(ended: () => void): void
  reject(reason: unknown): void
}

export function fifo(clock: Clock): Fifo {
  const waiting: Call[] = []
  let running: Call | undefined
  let ended: InferenceError | undefined

  const remove = (call: Call): boolean => {
    const index = waiting.indexOf(call)
    if (index === -1) return false
    waiting.splice(index, 1)
    call.lane.waiting--
    return true
  }

  const next = (): void => {
    const call = waiting.shift()
    if (call === undefined) {
      queue.onBusy(false)
      return
    }
    call.lane.waiting--
    begin(call)
  }

  const afterRunning = (): void => {
    running = undefined
    if (ended === undefined) next()
  }

  const begin = (call: Call): void => {
    running = call
    call.start(afterRunning)
  }

  const enqueue = (call: Call): void => {
    call.lane.waiting++
    let index = waiting.length
    while (index > 0 && (waiting[index - 1] as Call).priority < call.priority) index--
    waiting.splice(index, 0, call)
  }

  const queue: Fifo = {
    onBusy: () => {},
    push<T>(lane: Lane, admit: () => Work<T>, options: CallOptions = {}): Promise<T> {
      const { signal, deadlineMs, priority = 0 } = options
      return new Promise<T>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (ended !== undefined) return reject(ended)
        if (Number.isNaN(deadlineMs) || Number.isNaN(priority))
          return reject(
            new InferenceError('INVALID_INPUT', `${lane.name}: deadlineMs and priority must be numbers.`),
          )
        if (deadlineMs !== undefined && !(deadlineMs > 0))
          return reject(late(lane, deadlineMs, 'before it began'))
        if (running !== undefined && lane.waiting >= lane.maxQueue) return reject(full(lane))

        const work = admit()
        const pushedAt = clock.now()
        let timer: Timer | undefined
        const settle = (): void => {
          if (timer !== undefined) clock.clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
        }
        const call: Call = {
          lane,
          priority,
          start(whenEnded) {
            work(clock.now() - pushedAt).then(
              (value) => {
                // Where the work blocks this very thread, the timer had no chance.
                if (deadlineMs !== undefined && clock.now() - pushedAt > deadlineMs) {
                  call.reject(late(lane, deadlineMs, 'while it ran'))
                } else {
                  settle()
                  resolve(value)
                }
                whenEnded()
              },
              (error: unknown) => {
                call.reject(error)
                whenEnded()
              },
            )
          },
          reject(reason) {
            settle()
            reject(reason)
          },
        }
        const onAbort = (): void => {
          remove(call)
          call.reject(signal?.reason)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        if (deadlineMs !== undefined && deadlineMs <= longestDelayMs) {
          const onDeadline = (): void => {
            const when = remove(call) ? 'while it waited' : 'while it ran'
            call.reject(late(lane, deadlineMs, when))
          }
          timer = clock.setTimeout(onDeadline, deadlineMs)
        }
        if (running === undefined) {
          queue.onBusy(true)
          begin(call)
        } else enqueue(call)
      })
    },
    drop(lane, error) {
      for (const call of waiting.filter((candidate) => candidate.lane === lane)) {
        remove(call)
        call.reject(error)
      }
    },
    end(error) {
      if (ended !== undefined) return
      ended = error
      running?.reject(error)
      for (const call of waiting.splice(0)) {
        call.lane.waiting--
        call.reject(error)
      }
      queue.onBusy(false)
    },
  }
  return queue
}

function full(lane: Lane): InferenceError {
  return new InferenceError(
    'QUEUE_FULL',
    `${lane.name}: ${lane.waiting} calls wait, as many as maxQueue allows; send later or raise it.`,
    { data: { maxQueue: lane.maxQueue, waiting: lane.waiting } },
  )
}

function late(lane: Lane, deadlineMs: number, when: string): InferenceError {
  return new InferenceError('DEADLINE', `${lane.name}: the deadline of ${deadlineMs} ms passed ${when}.`, {
    data: { deadlineMs },
  })
}
