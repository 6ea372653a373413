import { InferenceError } from '../error.js'
import { createError, runError } from '../ort/errors.js'
import { toPorts } from '../ort/ports.js'
import type { OpenRuntime, OrtSession, OrtTensor, Runtime } from '../ort/runtime.js'
import type { DType, TensorData } from '../tensor.js'
import { sharedNow } from './clock.js'
import { toWire } from './error.js'
import type { Answer, CreateRequest, Ran, RealmHost, RunRequest, WireTensor } from './protocol.js'

interface Hosted {
  readonly name: string
  readonly device: string
  readonly ort: Runtime['ort']
  readonly session: OrtSession
  readonly outputs: readonly string[]
}

/** onnxruntime's side of a realm. The caller's side sends one request at a time. */
export function realmHost(openRuntime: OpenRuntime): RealmHost {
  const sessions = new Map<number, Hosted>()
  let count = 0
  return {
    create: (request) =>
      answer(async () => {
        const runtime = await openRuntime(request.runtime)
        const session = await createSession(runtime, request)
        try {
          const inputs = toPorts(session.inputMetadata, 'input', request.name)
          const outputs = toPorts(session.outputMetadata, 'output', request.name)
          const { name, device } = request
          sessions.set(++count, {
            name,
            device,
            ort: runtime.ort,
            session,
            outputs: outputs.map((port) => port.name),
          })
          return { session: count, inputs, outputs, runtime: runtime.name }
        } catch (error) {
          await session.release()
          throw error
        }
      }),
    // Written out, not through `answer`: this is the hot path, and each async function on it costs.
    async run(request) {
      const hosted = sessions.get(request.session)
      if (hosted === undefined) return { error: toWire(disposed()) }
      try {
        return { value: await run(hosted, request) }
      } catch (error) {
        return { error: toWire(runError(error, hosted.name, hosted.device)) }
      }
    },
    release: (id) =>
      answer(async () => {
        const hosted = sessions.get(id)
        sessions.delete(id)
        await hosted?.session.release()
        return null
      }),
  }
}

async function createSession(runtime: Runtime, request: CreateRequest): Promise<OrtSession> {
  const { model, name, device } = request
  // Fatal only: every error is thrown, and a bad request must not write to a server's log.
  const options = { logSeverityLevel: 4, ...request.options, executionProviders: [device] }
  const { InferenceSession } = runtime.ort
  try {
    // Two calls, for the two overloads.
    return await (typeof model === 'string'
      ? InferenceSession.create(model, options)
      : InferenceSession.create(model, options))
  } catch (error) {
    throw createError(error, name, device)
  }
}

async function run(hosted: Hosted, request: RunRequest): Promise<Ran> {
  const arrivedAt = sharedNow()
  const { ort, session } = hosted
  const feeds = Object.fromEntries(request.feeds.map((feed) => [feed.name, toOrt(ort, feed)]))
  const names = request.outputs ?? hosted.outputs
  const ranFrom = sharedNow()
  const results = await session.run(feeds, names)
  const ranTo = sharedNow()
  const outputs = names.map((name) => fromOrt(name, results[name] as OrtTensor))
  const leftAt = sharedNow()
  return {
    outputs,
    borrowed: request.borrowed,
    arrivedAt,
    leftAt,
    inputMs: ranFrom - arrivedAt,
    inferenceMs: ranTo - ranFrom,
    outputMs: leftAt - ranTo,
  }
}

function disposed(): InferenceError {
  return new InferenceError('DISPOSED', 'This session was disposed; load the model again.')
}

interface Float16Class {
  new (buffer: ArrayBufferLike, offset: number, length: number): ArrayBufferView
}

/** onnxruntime wants a Float16Array wherever the platform has one; our float16 is bits everywhere. */
function toOrt(ort: Runtime['ort'], { dtype, data, shape }: WireTensor): OrtTensor {
  const { Float16Array } = globalThis as { Float16Array?: Float16Class }
  if (dtype === 'float16' && Float16Array !== undefined) {
    const { buffer, byteOffset, length } = data as Uint16Array
    return new ort.Tensor(dtype, new Float16Array(buffer, byteOffset, length) as never, shape)
  }
  return new ort.Tensor(dtype, data as never, shape)
}

function fromOrt(name: string, tensor: OrtTensor): WireTensor {
  const dtype = tensor.type as DType
  const shape = [...tensor.dims]
  if (dtype !== 'float16') return { name, dtype, shape, data: tensor.data as TensorData[DType] }
  const { buffer, byteOffset, length } = tensor.data as Uint16Array
  return { name, dtype, shape, data: new Uint16Array(buffer, byteOffset, length) }
}

async function answer<T>(work: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error: toWire(error) }
  }
}
