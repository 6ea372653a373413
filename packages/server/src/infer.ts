import { InferenceError, type RunResult } from '@tandem/sdk'
import {
  decodeRequest,
  encodeResponse,
  type InferAnswer,
  type InferRequest,
  jsonLengthHeader,
  type Parameters,
  wireType,
} from '@tandem/sdk/oip'
import { formatTraceparent, parseTraceparent, type Recorder, type StageTimes } from '@tandem/telemetry'
import { type BodyLimits, readBody } from './body.js'
import { checkRequest } from './check.js'
import type { ReadyModel } from './models.js'
import { wrapRaw } from './raw.js'
import { refusalOf } from './refusal.js'

export interface InferOptions {
  readonly telemetry: Recorder | undefined
  readonly limits: BodyLimits
}

/** Answers one request to infer, and records it as one `serve` span. */
export async function infer(request: Request, model: ReadyModel, options: InferOptions): Promise<Response> {
  const { telemetry } = options
  const context = telemetry?.child(parseTraceparent(request.headers.get('traceparent')))
  // Until the body is here, time is the client's and the network's.
  let startMs = performance.now()
  let stages: StageTimes | undefined
  let batchSize: number | undefined
  let inputBytes: number | undefined
  let outputBytes: number | undefined
  let totalMs: number | undefined
  let outcome = 'ok'
  try {
    const body = await readBody(request, options.limits)
    startMs = performance.now()
    inputBytes = body.byteLength
    const asked = read(body, request.headers.get(jsonLengthHeader), model)
    checkRequest(asked, model.session, model.name)
    const decodeMs = performance.now() - startMs
    const result = await run(asked, model, request.signal, decodeMs)
    const encodeStartMs = performance.now()
    const encoded = encodeResponse({
      id: asked.id,
      model: model.name,
      version: model.version,
      outputs: answered(asked, result),
      parameters: () => {
        const now = performance.now()
        const { timings } = result
        stages = {
          queue: timings.queue,
          input: decodeMs + (timings.input ?? 0),
          inference: timings.inference,
          output: now - encodeStartMs + (timings.output ?? 0),
        }
        batchSize = timings.batchSize
        totalMs = now - startMs
        return durations(stages, totalMs, batchSize)
      },
    })
    outputBytes = encoded.body.byteLength
    const headers = new Headers({ ...encoded.headers, 'server-timing': serverTiming(stages, totalMs) })
    if (context !== undefined) headers.set('traceparent', formatTraceparent(context))
    if (asked.id !== undefined && fitsHeader(asked.id)) headers.set('x-request-id', asked.id)
    return new Response(encoded.body, { headers })
  } catch (error) {
    outcome = request.signal.aborted ? 'cancelled' : refusalOf(error).code
    throw error
  } finally {
    if (telemetry !== undefined && context !== undefined) {
      telemetry.record({
        context,
        name: 'serve',
        kind: 'server',
        startMs,
        durationMs: totalMs ?? performance.now() - startMs,
        stages,
        model: model.name,
        device: model.session.info.device,
        place: 'local',
        sync: 'readback',
        batchSize,
        inputBytes,
        outputBytes,
        outcome,
      })
    }
  }
}

function read(body: Uint8Array<ArrayBuffer>, jsonLength: string | null, model: ReadyModel): InferRequest {
  if (jsonLength?.trim() !== '0') return decodeRequest(body, jsonLength)
  const wrapped = wrapRaw(body, model.session.inputs, model.name)
  return decodeRequest(wrapped.body, wrapped.jsonLength)
}

function run(
  asked: InferRequest,
  { session }: ReadyModel,
  signal: AbortSignal,
  spentMs: number,
): Promise<RunResult> {
  const { timeout } = asked.parameters ?? {}
  // Triton's parameter: microseconds, 0 for none.
  if (timeout !== undefined && (typeof timeout !== 'number' || !(timeout >= 0))) {
    throw new InferenceError('INVALID_INPUT', 'parameter timeout must be a number of microseconds', {
      data: { path: 'parameters.timeout' },
    })
  }
  const feeds = Object.fromEntries(asked.inputs.map(({ name, tensor }) => [name, tensor]))
  return session.run(feeds, {
    signal,
    outputs: asked.outputs?.map(({ name }) => name),
    requestId: asked.id,
    deadlineMs: timeout ? Math.max(0, timeout / 1000 - spentMs) : undefined,
  })
}

/** The outputs in the order asked for; else wide elements first, so that the client needs no copy. */
function answered(
  { outputs: requested, binaryOutput = false }: InferRequest,
  { outputs }: RunResult,
): InferAnswer['outputs'] {
  const entries = Object.entries(outputs)
  if (requested === undefined) {
    return entries
      .map(([name, tensor]) => ({ name, tensor, binary: binaryOutput }))
      .sort((a, b) => wireType(b.tensor.dtype).bytes - wireType(a.tensor.dtype).bytes)
  }
  return requested.flatMap(({ name, binary }) =>
    entries.filter(([given]) => given === name).map(([, tensor]) => ({ name, tensor, binary })),
  )
}

const served = ['queue', 'input', 'inference', 'output'] as const

function durations(stages: StageTimes, totalMs: number, batchSize: number): Parameters {
  const known = served.flatMap((stage): [string, number][] => {
    const value = stages[stage]
    return typeof value === 'number' ? [[`${stage}_ms`, rounded(value)]] : []
  })
  return { ...Object.fromEntries(known), total_ms: rounded(totalMs), batch_size: batchSize }
}

function serverTiming(stages: StageTimes = {}, totalMs = 0): string {
  const known = served.flatMap((stage) => {
    const value = stages[stage]
    return typeof value === 'number' ? [`${stage};dur=${rounded(value)}`] : []
  })
  return [...known, `total;dur=${rounded(totalMs)}`].join(', ')
}

/** Clients refuse an answer with more than 16 kB of headers, and an id in the body may be as long as the body. */
const longestId = 256

function fitsHeader(id: string): boolean {
  return id.length <= longestId && /^[\x20-\x7e]+$/.test(id)
}

/** To a microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
