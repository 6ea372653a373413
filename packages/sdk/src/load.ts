import type { Recorder, SpanContext } from '@tandem/telemetry'
import {
  type Candidate,
  type Choice,
  choose,
  type Device,
  type DeviceRequest,
  type Probe,
} from './devices.js'
import { InferenceError } from './error.js'
import { type LocalSession, localSession } from './local.js'
import { outcomeOf } from './outcome.js'
import { newLane } from './realm/fifo.js'
import type { Created, RuntimeRequest } from './realm/protocol.js'
import type { Realm } from './realm/realm.js'
import type { Attempt, Model, SessionInfo } from './session.js'
import type { DownloadOptions, Progress } from './source/download.js'
import { type ModelFile, type ModelSource, nameOf } from './source/source.js'

export interface LoadOptions {
  /** `'auto'` by default: the first that is truly faster. One name is strict, a list falls back in order. */
  readonly device?: DeviceRequest | undefined
  /** Named in messages and telemetry; the file's name by default. */
  readonly name?: string | undefined
  /** Takes a span for the load and for every run. Without it, runs go to the recorder of their `trace`. */
  readonly telemetry?: Recorder | undefined
  /** Joins the load in a trace. */
  readonly trace?: SpanContext | undefined
  /** Ends the download or the creation, and rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Told how much of the model has been downloaded. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Calls that may wait; 1000 by default. One more is QUEUE_FULL. */
  readonly maxQueue?: number | undefined
  /**
   * `'worker'` by default. `'inline'`: onnxruntime in this thread, which blocks while it computes, on the feeds where they
   * are: leave them alone until the run has settled.
   */
  readonly host?: 'worker' | 'inline' | undefined
  /** The realm's script, where a bundler does not follow `new Worker(new URL(…))`. */
  readonly workerUrl?: string | URL | undefined
  /** `base`: where onnxruntime-web's files are served, if not beside the bundle. */
  readonly runtime?: { readonly base?: string | URL | undefined } | undefined
  /** Threads of the runtime; its own choice by default. */
  readonly threads?: number | undefined
  /** Further options of onnxruntime's sessions, as they are. */
  readonly sessionOptions?: Readonly<Record<string, unknown>> | undefined
}

/** What differs between a browser and Node. */
export interface Platform {
  probe(request: DeviceRequest): Promise<Probe>
  readModel(source: ModelSource, options: DownloadOptions): Promise<ModelFile>
  take(runtime: RuntimeRequest, options: LoadOptions): Realm
  give(realm: Realm, reclaim: boolean): void
  /** An absolute URL, from the page's point of view: a worker has another. */
  absolute(url: string | URL): string
}

/**
 * Loads a model on the best device allowed.
 *
 * @throws InferenceError INVALID_INPUT (options), MODEL_NOT_FOUND, INTEGRITY, NOT_A_MODEL, UNSUPPORTED, FEATURE_MISSING,
 * DEVICE_UNAVAILABLE (with `data.attempts`); or `signal.reason`
 */
export async function loadOn<M extends Model>(
  platform: Platform,
  source: ModelSource,
  options: LoadOptions,
): Promise<LocalSession<M>> {
  const { telemetry, trace } = options
  const name = options.name ?? nameOf(source)
  const startMs = performance.now()
  const recorder = telemetry ?? trace?.recorder
  const context = recorder?.child(trace)
  const record = (device: string | undefined, outcome: string): void => {
    if (recorder === undefined || context === undefined) return
    const durationMs = performance.now() - startMs
    recorder.record({
      context,
      name: 'load',
      kind: 'internal',
      startMs,
      durationMs,
      model: name,
      device,
      place: 'local',
      outcome,
    })
  }
  try {
    const session = await open<M>(platform, source, name, options)
    record(session.info.device, 'ok')
    return session
  } catch (error) {
    record(undefined, outcomeOf(error, options.signal))
    throw error
  }
}

async function open<M extends Model>(
  platform: Platform,
  source: ModelSource,
  name: string,
  options: LoadOptions,
): Promise<LocalSession<M>> {
  const { device = 'auto', signal } = options
  checkOptions(options)
  signal?.throwIfAborted()
  const probe = await platform.probe(device)
  const choice = choose(probe, device)
  if (choice.candidates.length === 0) throw noDevice(name, choice.skipped)
  const file = await platform.readModel(source, { signal, onProgress: options.onProgress })
  signal?.throwIfAborted()
  return tryEach<M>({ platform, file, name, options, probe, choice })
}

interface Opening {
  readonly platform: Platform
  readonly file: ModelFile
  readonly name: string
  readonly options: LoadOptions
  readonly probe: Probe
  readonly choice: Choice
}

/** One device at a time: the runtimes' own fallback is silent in browsers, and in Node there is none. */
async function tryEach<M extends Model>(opening: Opening): Promise<LocalSession<M>> {
  const { choice, options } = opening
  const attempts: Attempt[] = [...choice.skipped]
  let last: InferenceError | undefined
  for (const candidate of choice.candidates) {
    const { device } = candidate
    const startedAt = performance.now()
    try {
      return await attempt<M>(opening, candidate, attempts)
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!InferenceError.is(error) || hopeless.has(error.code)) throw error
      const { code, message: reason } = error
      attempts.push({
        target: device,
        device,
        outcome: 'failed',
        code,
        reason,
        durationMs: performance.now() - startedAt,
      })
      last = error
    }
  }
  const failed = attempts.filter(({ outcome }) => outcome === 'failed')
  if (last === undefined || failed.length > 1) throw noDevice(opening.name, attempts, last)
  // The one device that was tried says it best.
  throw new InferenceError(last.code, last.message, { cause: last.cause, data: { ...last.data, attempts } })
}

/** No other device would make it better. */
const hopeless = new Set(['NOT_A_MODEL', 'MODEL_NOT_FOUND', 'INTEGRITY', 'INVALID_INPUT', 'DISPOSED'])

async function attempt<M extends Model>(
  opening: Opening,
  candidate: Candidate,
  earlier: readonly Attempt[],
): Promise<LocalSession<M>> {
  const { platform, file, name, options, probe, choice } = opening
  const { device, asset } = candidate
  const { device: asked = 'auto' } = options
  const threads = chooseThreads(options.threads, probe)
  const base = options.runtime?.base
  const runtime = { asset, base: base && platform.absolute(base), threads: threads?.actual }
  const realm = platform.take(runtime, options)
  const leave = (reclaim: boolean): void => platform.give(realm, reclaim)
  const startedAt = performance.now()
  try {
    const lane = newLane(name)
    const { model, own } = file
    // The bytes may go with the last candidate; before that they may be needed again.
    const moves =
      own && candidate === choice.candidates.at(-1) && typeof model !== 'string' && realm.endpoint.remote
    const transfer = moves ? [model.buffer as ArrayBuffer] : []
    const request = {
      name,
      model,
      device,
      runtime,
      options: sessionOptions(options),
    }
    const created = await realm.create(lane, request, transfer, { signal: options.signal })
    await refuseFloat16(created, candidate, probe, name, () => realm.release(lane, created.session))
    const createMs = performance.now() - startedAt
    const attempts: Attempt[] = [...earlier, { target: device, device, outcome: 'ok', durationMs: createMs }]
    const info: SessionInfo & { place: 'local' } = {
      model: name,
      place: 'local',
      device,
      why: explain(device, asked, earlier),
      attempts,
      load: { downloadMs: file.downloadMs, createMs },
      threads,
      runtime: created.runtime,
    }
    const failed = earlier.some(({ outcome }) => outcome === 'failed')
    const because = failed ? 'fallback' : asked === 'auto' ? 'auto' : 'asked'
    return localSession<M>({
      info,
      created,
      realm,
      maxQueue: options.maxQueue ?? 1000,
      telemetry: options.telemetry,
      because,
      leave,
    })
  } catch (error) {
    leave(false)
    throw error
  }
}

/** WebGPU without shader-f16 may create such a session and fail in its first run. */
async function refuseFloat16(
  created: Created,
  { device }: Candidate,
  probe: Probe,
  name: string,
  release: () => Promise<void>,
): Promise<void> {
  if (device !== 'webgpu' || probe.shaderF16) return
  const port = [...created.inputs, ...created.outputs].find(({ dtype }) => dtype === 'float16')
  if (port === undefined) return
  await release()
  throw new InferenceError(
    'FEATURE_MISSING',
    `${name} has float16 inputs or outputs and this GPU no shader-f16; use a float32 variant or another device.`,
    { data: { feature: 'shader-f16' } },
  )
}

function sessionOptions({
  threads,
  sessionOptions: further,
}: LoadOptions): Readonly<Record<string, unknown>> {
  return { ...(threads === undefined ? {} : { intraOpNumThreads: threads }), ...further }
}

function chooseThreads(asked: number | undefined, { threads }: Probe): SessionInfo['threads'] {
  if (threads === undefined) {
    return asked === undefined ? undefined : { requested: asked, actual: asked, reason: 'as asked' }
  }
  const requested = asked ?? threads.wanted
  const actual = Math.min(requested, threads.max)
  return {
    requested,
    actual,
    reason:
      actual < requested ? threads.reason : asked === undefined ? 'half of the cores, 4 at most' : 'as asked',
  }
}

function explain(device: Device, asked: DeviceRequest, earlier: readonly Attempt[]): string {
  if (earlier.length > 0)
    return `${device}, because what comes before it was passed over (${reasons(earlier)})`
  return asked === 'auto' ? `${device} is the first choice here` : `${device} was asked for`
}

function reasons(attempts: readonly Attempt[]): string {
  return attempts.map(({ device, reason }) => `${device}: ${reason}`).join('; ')
}

function noDevice(name: string, attempts: readonly Attempt[], cause?: unknown): InferenceError {
  const codes = new Set(attempts.filter(({ outcome }) => outcome === 'failed').map(({ code }) => code))
  const [code = 'DEVICE_UNAVAILABLE'] = codes.size === 1 ? codes : []
  return new InferenceError(
    code,
    `${name} could not be loaded on any device asked for (${reasons(attempts)}); add one that is there, or use 'auto'.`,
    {
      cause,
      data: { attempts },
    },
  )
}

function checkOptions({ maxQueue = 0, threads = 1, host = 'inline' }: LoadOptions): void {
  const check = (valid: boolean, path: string, wanted: string): void => {
    if (!valid)
      throw new InferenceError('INVALID_INPUT', `load(): ${path} must be ${wanted}.`, { data: { path } })
  }
  check(maxQueue >= 0, 'maxQueue', 'a number of calls, 0 or more')
  check(
    Number.isInteger(threads) && threads > 0 && threads <= 1024,
    'threads',
    'a whole number from 1 to 1024',
  )
  check(host === 'worker' || host === 'inline', 'host', "'worker' or 'inline'")
}
