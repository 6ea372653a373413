/// <reference lib="esnext.disposable" preserve="true" />
import {
  binaryExtension,
  type ErrorBody,
  type ModelMetadata,
  portMetadata,
  type ServerMetadata,
} from '@tandem/sdk/oip'
import type { Recorder } from '@tandem/telemetry'
import { allowPages, preflight } from './cors.js'
import { infer } from './infer.js'
import { loadModels, type ModelState, type ReadyModel, type ServedModel } from './models.js'
import { pathOf, Refusal, refusalOf, retryLater } from './refusal.js'
import { methodOf, type Route, route } from './route.js'

export interface ServerOptions {
  readonly models: readonly ServedModel[]
  /** Records one `serve` span for each request to infer. */
  readonly telemetry?: Recorder | undefined
  /** Bytes of a request's body, as sent and as inflated. 64 MiB by default; more is 413. */
  readonly maxBodyBytes?: number | undefined
  /** Milliseconds without a further byte of a body before the request is given up. 30 000 by default. */
  readonly bodyStallMs?: number | undefined
  /** Told in one line each: a model that is ready or left out, a failure of the server itself. */
  readonly log?: ((line: string) => void) | undefined
}

/** An Open Inference Protocol server without a port. */
export interface Server extends AsyncDisposable {
  /** Answers a request; never rejects. */
  fetch(request: Request): Promise<Response>
  /** Settles when each model is ready or left out. */
  readonly loaded: Promise<readonly ModelState[]>
  /** Answers 503 from now on, lets running requests end, then releases the models. Twice is once. */
  dispose(): Promise<void>
}

const version = '0.1.0'
/** nginx's status for a client that hung up. */
const closedByClient = 499
const defaultMaxBodyBytes = 64 * 2 ** 20
const defaultBodyStallMs = 30_000
/** Characters of an error's message. */
const longestText = 2000

/** Serves models over the Open Inference Protocol, version 2, to pages of any origin. Starts to load them at once. */
export function server(options: ServerOptions): Server {
  const log = options.log ?? (() => {})
  const models = loadModels(options.models, log)
  const limits = {
    maxBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    stallMs: options.bodyStallMs ?? defaultBodyStallMs,
  }
  const running = new Set<Promise<unknown>>()
  let disposed: Promise<void> | undefined

  function answer(request: Request, target: Route): Response | Promise<Response> {
    switch (target.kind) {
      case 'live':
        return json({ live: true })
      case 'server':
        return json({ name: 'tandem', version, extensions: [binaryExtension] } satisfies ServerMetadata)
      case 'ready':
        return ready()
      case 'models':
        return json({
          models: [
            ...new Set(
              models
                .list()
                .filter(isReady)
                .map(({ name }) => name),
            ),
          ],
        })
      case 'index':
        return json(
          models.list().map(({ name, version, state, reason }) => ({ name, version, state, reason })),
        )
      case 'model':
        return json(metadata(models.ready(target.model, target.version)))
      case 'modelReady':
        return json({ name: models.ready(target.model, target.version).name, ready: true })
      case 'infer': {
        if (disposed !== undefined) throw draining()
        const model = models.ready(target.model, target.version)
        const work = infer(request, model, { telemetry: options.telemetry, limits })
        running.add(work)
        return work.finally(() => running.delete(work))
      }
    }
  }

  function ready(): Response {
    if (disposed !== undefined) throw draining()
    const states = models.list()
    const isUp = states.some(isReady) && states.every(({ state }) => state !== 'LOADING')
    return json({ ready: isUp }, isUp ? {} : { status: 503, headers: retryLater })
  }

  function metadata({ name, session }: ReadyModel): ModelMetadata {
    return {
      name,
      versions: models
        .versions(name)
        .filter(isReady)
        .map((state) => state.version),
      platform: 'onnxruntime_onnx',
      inputs: session.inputs.map(portMetadata),
      outputs: session.outputs.map(portMetadata),
    }
  }

  async function dispatch(request: Request): Promise<Response> {
    const target = route(new URL(request.url).pathname)
    const method = target === undefined ? undefined : methodOf[target.kind]
    const allowed = [method ?? 'GET, POST', ...(method === 'POST' ? [] : ['HEAD']), 'OPTIONS'].join(', ')
    if (request.method === 'OPTIONS') return preflight(request, allowed)
    if (target === undefined) throw new Refusal(404, 'NOT_FOUND', 'Not Found')
    const isHead = method === 'GET' && request.method === 'HEAD'
    if (!isHead && request.method !== method) {
      throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'Method Not Allowed', { allow: allowed })
    }
    const response = await answer(request, target)
    return isHead ? new Response(null, { status: response.status, headers: response.headers }) : response
  }

  function refuse(request: Request, error: unknown): Response {
    // Nobody listens any more; the status is for those who wrap fetch.
    if (request.signal.aborted) return new Response(null, { status: closedByClient })
    const { status, code, message, headers } = refusalOf(error)
    if (status === 500)
      log(`failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    const body = { error: excerpt(message), code, path: excerpt(pathOf(error)) } satisfies ErrorBody
    return json(body, { status, headers })
  }

  async function drain(): Promise<void> {
    await Promise.allSettled(running)
    await models[Symbol.asyncDispose]()
  }

  function dispose(): Promise<void> {
    disposed ??= drain()
    return disposed
  }

  return {
    async fetch(request) {
      const response = await dispatch(request).catch((error: unknown) => refuse(request, error))
      const id = request.headers.get('x-request-id')
      if (id !== null) response.headers.set('x-request-id', id)
      return allowPages(request, response)
    },
    loaded: models.loaded,
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}

function isReady({ state }: ModelState): boolean {
  return state === 'READY'
}

function draining(): Refusal {
  return new Refusal(503, 'DRAINING', 'the server is shutting down', { ...retryLater, connection: 'close' })
}

/** Names and shapes of a request are quoted in errors, and may be as long as its body. */
function excerpt<T extends string | undefined>(text: T): T | string {
  return text !== undefined && text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

function json(body: object, init: ResponseInit = {}): Response {
  const text = new TextEncoder().encode(JSON.stringify(body))
  const headers = {
    ...init.headers,
    'content-type': 'application/json',
    'content-length': String(text.byteLength),
  }
  return new Response(text, { ...init, headers })
}
