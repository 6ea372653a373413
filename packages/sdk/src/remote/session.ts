import { InferenceError } from '../error.js'
import {
  binaryExtension,
  decodeResponse,
  type Encoded,
  encodeRequest,
  type InferResponse,
  jsonLengthHeader,
} from '../oip/index.js'
import { outcomeOf } from '../outcome.js'
import type { Feeds, Model, Outputs, RunOptions, RunResult, Session, SessionInfo } from '../session.js'
import { validateFeeds } from '../validate.js'
import { parseAddress, shown } from './address.js'
import { type Call, startCall } from './call.js'
import { describe } from './describe.js'
import { type Exchange, type ExchangeRequest, exchange, type Limit } from './exchange.js'
import { failureOf, isPage, pageInstead } from './failure.js'
import type { RemoteOptions } from './options.js'
import { remoteTimings } from './timings.js'

const defaultTimeoutMs = 60_000

/** {@link remote}'s work. */
export async function openRemote<M extends Model = Model>(
  url: string | URL,
  options: RemoteOptions,
): Promise<Session<M, 'remote'>> {
  const address = parseAddress(url)
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  const model = options.name ?? address.name
  const startMs = performance.now()

  const limitOf = (deadlineMs: number | undefined, elapsedMs: number): Limit => {
    const totalMs = deadlineMs ?? timeoutMs
    return {
      totalMs,
      leftMs: Math.max(0, totalMs - elapsedMs),
      by: deadlineMs === undefined ? 'timeoutMs' : 'deadlineMs',
    }
  }

  const request = (
    target: string,
    limits: Pick<ExchangeRequest, 'signal' | 'limit'>,
    message?: Encoded,
    extra?: Record<string, string>,
  ): Promise<Exchange> => {
    const { headers = {} } = options
    return exchange({
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      url: target,
      method: message === undefined ? 'GET' : 'POST',
      headers: async () => {
        const own = typeof headers === 'function' ? await headers() : headers
        return { ...own, ...extra, ...message?.headers }
      },
      body: message?.body,
      ...limits,
    })
  }

  const limits = { signal: options.signal, limit: limitOf(undefined, 0) }
  const [server, metadata] = await Promise.all([
    request(address.server, limits),
    request(address.model, limits),
  ])
  const { inputs, outputs, extensions, runtime } = describe(server, metadata)
  const binary = extensions.includes(binaryExtension)
  const loadedMs = performance.now() - startMs
  const info: SessionInfo & { readonly place: 'remote' } = {
    model,
    place: 'remote',
    device: 'remote',
    why: `the model at ${shown(address.model)}`,
    attempts: [{ target: 'remote', device: 'remote', outcome: 'ok', durationMs: loadedMs }],
    load: { downloadMs: null, createMs: null },
    runtime,
  }

  const running = new Set<Promise<unknown>>()
  let disposed: Promise<void> | undefined

  async function infer(feeds: Feeds<M>, run: RunOptions, call: Call): Promise<RunResult<M, 'remote'>> {
    run.signal?.throwIfAborted()
    if (disposed !== undefined) {
      throw new InferenceError(
        'DISPOSED',
        `the session of '${model}' was disposed of: make a new one with remote()`,
      )
    }
    // A server that does not tell its ports checks for itself.
    if (inputs.length > 0)
      validateFeeds(feeds, inputs, { model, outputs: { wanted: run.outputs, ports: outputs } })
    const wanted = run.outputs ?? outputs.map(({ name }) => name)
    const message = encodeRequest(
      {
        id: run.requestId,
        parameters: timeoutOf(run.deadlineMs),
        inputs: Object.entries(feeds).map(([name, tensor]) => ({ name, tensor })),
        // An output that is listed without a form comes as JSON, whatever the request's default says.
        outputs: wanted.length > 0 ? wanted.map((name) => ({ name, binary })) : undefined,
        binaryOutput: binary,
      },
      { binary },
    )
    call.inputBytes = message.body.byteLength
    const limit = limitOf(run.deadlineMs, call.elapsedMs())
    const answered = await request(address.infer, { signal: run.signal, limit }, message, call.headers)
    call.outputBytes = answered.body.byteLength
    const response = readAnswer(answered)
    const missing = wanted.find((name) => !Object.hasOwn(response.outputs, name))
    if (missing !== undefined) {
      throw new InferenceError('REMOTE', `${shown(address.infer)} left out the output '${missing}'`, {
        data: { url: shown(address.infer), path: `outputs.${missing}` },
      })
    }
    const total = call.elapsedMs()
    const timings = remoteTimings(total, response.parameters, answered.headers.get('server-timing'))
    call.timings = timings
    return {
      outputs: response.outputs as Outputs<M>,
      place: 'remote',
      timings,
      attempts: [{ target: 'remote', device: 'remote', outcome: 'ok', durationMs: total, timings }],
    }
  }

  async function run(feeds: Feeds<M>, runOptions: RunOptions = {}): Promise<RunResult<M, 'remote'>> {
    const call = startCall(options.telemetry, runOptions, model)
    try {
      const result = infer(feeds, runOptions, call)
      running.add(result)
      const done = await result.finally(() => running.delete(result))
      call.end('ok')
      return done
    } catch (error) {
      call.end(outcomeOf(error, runOptions.signal))
      throw error
    }
  }

  function dispose(): Promise<void> {
    disposed ??= Promise.allSettled(running).then(() => undefined)
    return disposed
  }

  return { info, inputs, outputs, run, dispose, [Symbol.asyncDispose]: dispose }
}

/** Triton's parameter, in microseconds. A deadline without end has no JSON, and needs none. */
function timeoutOf(deadlineMs: number | undefined): { timeout?: number } {
  const timeout = Math.max(1, Math.round((deadlineMs ?? Number.NaN) * 1000))
  return Number.isFinite(timeout) ? { timeout } : {}
}

function readAnswer(answered: Exchange): InferResponse {
  if (answered.status !== 200) throw failureOf(answered)
  if (isPage(answered)) throw pageInstead(answered)
  return decodeResponse(answered.body, answered.headers.get(jsonLengthHeader))
}
