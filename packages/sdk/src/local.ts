import type { ChildContext, Recorder } from '@tandem/telemetry'
import { InferenceError } from './error.js'
import type { Lane } from './realm/fifo.js'
import { type Packed, pack, passOn } from './realm/pack.js'
import { type Created, type Ran, sharedNow, type WireTensor } from './realm/protocol.js'
import { type Realm, unwrap } from './realm/realm.js'
import type {
  Feeds,
  Model,
  Outputs,
  RunOptions,
  RunResult,
  Session,
  SessionInfo,
  Timings,
} from './session.js'
import { byteSize, type Tensor } from './tensor.js'
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
  const lane: Lane = { name: info.model, maxQueue: parts.maxQueue, waiting: 0 }
  const control: Lane = { name: info.model, maxQueue: Number.POSITIVE_INFINITY, waiting: 0 }
  let disposal: Promise<void> | undefined
  let warm = false

  const send = async (feeds: Feeds<M>, options: RunOptions, timed: Timed): Promise<RunResult<M, 'local'>> => {
    const packedFrom = sharedNow()
    const packed: Packed = realm.endpoint.remote
      ? pack(feeds, inputs, realm.pool, options.transfer ?? false)
      : passOn(feeds, inputs)
    const sentAt = sharedNow()
    const request = {
      session: created.session,
      feeds: packed.feeds,
      outputs: options.outputs,
      borrowed: packed.borrowed,
    }
    const ran = unwrap(await realm.endpoint.host.run(request, packed.transfer))
    const gotAt = sharedNow()
    realm.pool.give(ran.borrowed)
    const transit = gotAt - sentAt - (ran.leftAt - ran.arrivedAt)
    // The clocks of two threads agree to some microseconds only, so the way there is kept within the way there and back.
    const there = Math.min(Math.max(ran.arrivedAt - sentAt, 0), Math.max(transit, 0))
    timed.input = sentAt - packedFrom + there + ran.inputMs
    timed.inference = ran.inferenceMs
    timed.output = ran.outputMs + Math.max(transit, 0) - there
    timed.outputBytes = ran.outputs.reduce((bytes, output) => bytes + byteSize(output), 0)
    return finish(ran, timed)
  }

  const finish = (ran: Ran, timed: Timed): RunResult<M, 'local'> => {
    const timings = toTimings(timed, performance.now() - timed.startedAt)
    return {
      outputs: toOutputs<M>(ran.outputs),
      place: 'local',
      timings,
      attempts: [{ target: 'local', device: info.device, outcome: 'ok', durationMs: timings.total, timings }],
    }
  }

  const call = async (feeds: Feeds<M>, options: RunOptions, timed: Timed): Promise<RunResult<M, 'local'>> => {
    options.signal?.throwIfAborted()
    if (disposal !== undefined) throw disposed(info.model)
    validateFeeds(feeds, inputs, { model: info.model, outputs: { wanted: options.outputs, ports: outputs } })
    const work = (waitedMs: number): Promise<RunResult<M, 'local'>> => {
      timed.queue = waitedMs
      return send(feeds, options, timed)
    }
    return realm.queue.push(lane, work, options)
  }

  const record = (
    recorder: Recorder,
    context: ChildContext,
    timed: Timed,
    outcome: string,
    feeds: Feeds<M>,
  ): void => {
    recorder.record({
      context,
      name: 'infer',
      kind: 'internal',
      startMs: timed.startedAt,
      durationMs: timed.total ?? performance.now() - timed.startedAt,
      stages: { queue: timed.queue, input: timed.input, inference: timed.inference, output: timed.output },
      model: info.model,
      device: info.device,
      place: 'local',
      why: parts.because,
      sync: 'readback',
      batchSize: 1,
      inputBytes: outcome === 'INVALID_INPUT' ? undefined : feedBytes(feeds),
      outputBytes: timed.outputBytes,
      warm,
      outcome,
    })
  }

  const self: LocalSession<M> = {
    info,
    inputs,
    outputs,
    async run(feeds, options = {}) {
      const timed: Timed = { startedAt: performance.now() }
      const recorder = parts.telemetry ?? options.trace?.recorder
      const context = recorder?.child(options.trace)
      try {
        const result = await call(feeds, options, timed)
        timed.total = result.timings.total
        if (recorder !== undefined && context !== undefined) record(recorder, context, timed, 'ok', feeds)
        warm = true
        return result
      } catch (error) {
        if (recorder !== undefined && context !== undefined)
          record(recorder, context, timed, outcomeOf(error, options), feeds)
        throw error
      }
    },
    dispose({ reclaim = false } = {}) {
      disposal ??= (async () => {
        realm.queue.drop(lane, disposed(info.model))
        await realm.release(control, created.session)
        parts.leave(reclaim)
      })()
      return disposal
    },
    [Symbol.asyncDispose]: () => self.dispose(),
  }
  return self
}

/** A call's stages as they become known. */
interface Timed {
  readonly startedAt: number
  total?: number
  queue?: number
  input?: number
  inference?: number
  output?: number
  outputBytes?: number
}

function toTimings(timed: Timed, total: number): Timings {
  const { queue = null, input = null, inference = null, output = null } = timed
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

function outcomeOf(error: unknown, { signal }: RunOptions): string {
  if (signal?.aborted && error === signal.reason) return 'cancelled'
  return InferenceError.is(error) ? error.code : 'REALM_CRASHED'
}

function feedBytes(feeds: Feeds): number {
  let bytes = 0
  for (const feed of Object.values(feeds)) bytes += byteSize(feed)
  return bytes
}

function disposed(model: string): InferenceError {
  return new InferenceError('DISPOSED', `${model}: the session was disposed; load the model again.`)
}
