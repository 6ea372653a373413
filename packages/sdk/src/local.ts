import type { Recorder } from '@tandem/telemetry'
import { InferenceError } from './error.js'
import { outcomeOf } from './outcome.js'
import { sharedNow } from './realm/clock.js'
import { newLane, type Work } from './realm/fifo.js'
import { type Packed, pack, passOn } from './realm/pack.js'
import type { Created, WireTensor } from './realm/protocol.js'
import { type Realm, unwrap } from './realm/realm.js'
import { begin, byteSizes, type RunRecord, recordRun } from './run-record.js'
import type { Model, Outputs, RunResult, Session, SessionInfo, Timings } from './session.js'
import type { Tensor } from './tensor.js'
import { validateFeeds } from './validate.js'

/** A model in this page or process. */
export type LocalSession<M extends Model = Model> = Session<M, 'local'>

/** What a loaded model's session stands on. */
export interface LocalParts {
  readonly info: SessionInfo & { readonly place: 'local' }
  readonly created: Created
  readonly realm: Realm
  readonly maxQueue: number
  readonly telemetry: Recorder | undefined
  /** Few values: `asked`, `auto`, `fallback`. */
  readonly because: string
  /** Gives the realm back. */
  readonly leave: (reclaim: boolean) => void
}

export function localSession<M extends Model>(parts: LocalParts): LocalSession<M> {
  const { info, created, realm } = parts
  const { inputs, outputs } = created
  const lane = newLane(info.model, parts.maxQueue)
  const control = newLane(info.model)
  let disposal: Promise<void> | undefined
  let warm = false

  const send = async (
    packed: Packed,
    wanted: readonly string[] | undefined,
    run: RunRecord,
  ): Promise<RunResult<M, 'local'>> => {
    if (run.recorder !== undefined) run.inputBytes = byteSizes(packed.feeds)
    const { session } = created
    const request = { session, feeds: packed.feeds, outputs: wanted, borrowed: packed.borrowed }
    const sentAt = sharedNow()
    const ran = unwrap(await realm.endpoint.host.run(request, packed.transfer))
    const gotAt = sharedNow()
    realm.pool.give(ran.borrowed)
    if (run.recorder !== undefined) run.outputBytes = byteSizes(ran.outputs)
    const transit = Math.max(gotAt - sentAt - (ran.leftAt - ran.arrivedAt), 0)
    // The clocks of two threads agree to some microseconds only, so the way there is kept within the way there and back.
    const there = Math.min(Math.max(ran.arrivedAt - sentAt, 0), transit)
    run.input = (run.input ?? 0) + there + ran.inputMs
    run.inference = ran.inferenceMs
    run.output = ran.outputMs + transit - there
    run.total = performance.now() - run.startMs
    const timings = toTimings(run, run.total)
    return {
      outputs: toOutputs<M>(ran.outputs),
      place: 'local',
      timings,
      attempts: [{ target: 'local', device: info.device, outcome: 'ok', durationMs: run.total, timings }],
    }
  }

  const self: LocalSession<M> = {
    info,
    inputs,
    outputs,
    async run(feeds, options = {}) {
      const run = begin(parts.telemetry ?? options.trace?.recorder, options.trace)
      try {
        options.signal?.throwIfAborted()
        if (disposal !== undefined) throw disposed(info.model)
        validateFeeds(feeds, inputs, {
          model: info.model,
          outputs: { wanted: options.outputs, ports: outputs },
        })
        const wanted = options.outputs && [...options.outputs]
        const admit = (): Work<RunResult<M, 'local'>> => {
          const from = performance.now()
          const packed = realm.endpoint.remote ? pack(feeds, inputs, realm.pool, options.transfer) : undefined
          run.input = performance.now() - from
          return (waitedMs) => {
            run.queue = waitedMs
            return send(packed ?? passOn(feeds, inputs), wanted, run)
          }
        }
        const result = await realm.queue.push(lane, admit, options)
        recordRun(run, info, parts.because, warm, 'ok')
        warm = true
        return result
      } catch (error) {
        recordRun(run, info, parts.because, warm, outcomeOf(error, options.signal))
        throw error
      }
    },
    dispose({ reclaim = false } = {}) {
      disposal ??= end(reclaim)
      return disposal
    },
    [Symbol.asyncDispose]: () => self.dispose(),
  }

  const end = async (reclaim: boolean): Promise<void> => {
    realm.queue.drop(lane, disposed(info.model))
    try {
      await realm.release(control, created.session)
    } catch (error) {
      // It went with its realm.
      if (!realm.crashed) throw error
    } finally {
      parts.leave(reclaim)
    }
  }

  return self
}

function toTimings({ queue, input, inference, output }: RunRecord, total: number): Timings {
  return {
    total,
    queue,
    preprocess: null,
    input,
    inference,
    output,
    postprocess: null,
    network: null,
    batchSize: 1,
    computeShare: inference,
    cache: 'none',
  }
}

/** `fromEntries` defines properties, so an output may even be called `__proto__`. */
function toOutputs<M extends Model>(outputs: readonly WireTensor[]): Outputs<M> {
  const entries = outputs.map(
    ({ name, dtype, shape, data }) => [name, { dtype, shape, data } as Tensor] as const,
  )
  return Object.fromEntries(entries) as Outputs<M>
}

function disposed(model: string): InferenceError {
  return new InferenceError('DISPOSED', `${model}: the session was disposed; load the model again.`)
}
