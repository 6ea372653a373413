import { type ErrorCode, InferenceError } from '../error.js'
import { ortVersion } from '../ort/version.js'
import type { Clock } from './clock.js'
import { fromWire } from './error.js'
import { type CallOptions, type Fifo, fifo, type Lane, newLane } from './fifo.js'
import { type Pool, pool } from './pool.js'
import type { Answer, Created, CreateRequest, RealmHost } from './protocol.js'

/** The way to a host: a worker behind comlink, or onnxruntime in this very thread. */
export interface Endpoint {
  readonly host: RealmHostCalls
  /** False where the host is in this thread: then feeds need no copy. */
  readonly remote: boolean
  /** Resolves when the other side can be asked something. Another script than ours never answers. */
  readonly ready: Promise<void>
  /** Set by the realm. Called when the other side dies by itself: how, and the code unless it is REALM_CRASHED. */
  onDeath: (how: string, code?: ErrorCode) => void
  /** Told before a realm has something to do and after it has nothing left. */
  setBusy(busy: boolean): void
  /** Ends the other side. Only called when it is idle. */
  close(): void
}

/** {@link RealmHost} with the buffers to transfer. */
interface RealmHostCalls {
  create(request: CreateRequest, transfer: readonly ArrayBuffer[]): ReturnType<RealmHost['create']>
  run(
    request: Parameters<RealmHost['run']>[0],
    transfer: readonly ArrayBuffer[],
  ): ReturnType<RealmHost['run']>
  release(session: number): ReturnType<RealmHost['release']>
}

/** onnxruntime's only home: one host, and one FIFO in front of everything it does. */
export interface Realm {
  readonly endpoint: Endpoint
  readonly queue: Fifo
  readonly pool: Pool
  /** Sessions it holds or is about to. */
  sessions: number
  readonly crashed: boolean
  create(
    lane: Lane,
    request: CreateRequest,
    transfer: readonly ArrayBuffer[],
    options: CallOptions,
  ): Promise<Created>
  release(lane: Lane, session: number): Promise<void>
  close(): void
}

/** A worker answers in some ten milliseconds, on a busy machine in a second. */
const startTimeoutMs = 30_000

export function realm(endpoint: Endpoint, clock: Clock): Realm {
  const queue = fifo(clock)
  let crashed = false
  let began = false
  queue.onBusy = (busy) => endpoint.setBusy(busy)
  endpoint.onDeath = (how, code = 'REALM_CRASHED') => {
    crashed = true
    clock.clearTimeout(timer)
    queue.end(began ? died(how, code) : neverBegan(how))
  }
  const timer = clock.setTimeout(() => {
    endpoint.close()
    endpoint.onDeath(`no answer within ${startTimeoutMs / 1000} s`)
  }, startTimeoutMs)
  // A script that answers with an error is not ours either.
  endpoint.ready.then(
    () => {
      began = true
      clock.clearTimeout(timer)
    },
    () => {},
  )
  const self: Realm = {
    endpoint,
    queue,
    pool: pool(),
    sessions: 0,
    get crashed() {
      return crashed
    },
    create(lane, request, transfer, options) {
      const work = async (): Promise<Created> => {
        const created = unwrap(await endpoint.host.create(request, transfer).catch(notPlain))
        // Nobody waits for it any more: the session must not stay.
        if (options.signal?.aborted) unwrap(await endpoint.host.release(created.session))
        return created
      }
      return queue.push(lane, () => work, options)
    },
    async release(lane, session) {
      if (crashed) return
      const work = async (): Promise<null> => unwrap(await endpoint.host.release(session))
      await queue.push(lane, () => work, { priority: Number.POSITIVE_INFINITY })
    },
    close() {
      // In its turn: Node aborts the process when a thread is ended that computes. Where the realm has died there is nothing to end.
      const work = async (): Promise<void> => endpoint.close()
      queue.push(newLane('realm'), () => work, { priority: Number.NEGATIVE_INFINITY }).catch(() => {})
    },
  }
  return self
}

/** An answer's value, or its error thrown. */
export function unwrap<T>(answer: Answer<T>): T {
  if (answer.error !== undefined) throw fromWire(answer.error)
  return answer.value as T
}

/** Failures travel as values, so this is the message's own: something in it can't be cloned. */
function notPlain(cause: unknown): never {
  throw new InferenceError('INVALID_INPUT', `sessionOptions must be plain data: ${cause}.`, {
    cause,
    data: { path: 'sessionOptions' },
  })
}

function died(how: string, code: ErrorCode): InferenceError {
  return new InferenceError(code, `The realm of this model died (${how}); load the model again.`, {
    data: { how },
  })
}

/** What a load is told when no worker of ours came to be. */
export function neverBegan(how: string, cause?: unknown): InferenceError {
  return new InferenceError(
    'DEVICE_UNAVAILABLE',
    `The realm's worker did not start (${how}); check that the runtime is installed (in a page npm install onnxruntime-web@${ortVersion}) ` +
      'and the script served, or name the script with workerUrl, an absolute URL.',
    { cause, data: { how } },
  )
}
