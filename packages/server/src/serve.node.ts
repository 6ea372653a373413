/// <reference lib="esnext.disposable" preserve="true" />
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { InferenceError } from '@tandem/sdk'
import type { ModelState } from './models.js'
import { type RepositoryOptions, repository } from './repository.node.js'
import { type ServerOptions, server } from './server.js'

export interface ServeOptions extends Omit<ServerOptions, 'models'>, RepositoryOptions {
  /** The folder with the models; see {@link repository}. */
  readonly dir: string
  /** 8000 by default; 0 for any that is free. */
  readonly port?: number | undefined
  /** 127.0.0.1 by default: this machine only. */
  readonly host?: string | undefined
  /** Milliseconds that running requests get to end when it is closed. 30 000 by default. */
  readonly drainMs?: number | undefined
  /** Gives up while the models load; closes nothing later. */
  readonly signal?: AbortSignal | undefined
}

/** A server with a port. */
export interface Serving extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  readonly models: readonly ModelState[]
  /** Answers 503, lets running requests end, releases the models, then stops listening. Twice is once. */
  close(): Promise<void>
}

const defaultPort = 8000
const defaultHost = '127.0.0.1'
const defaultDrainMs = 30_000
/** Longer than the idle time of usual proxies and clients, so that they close first and no request meets a closing connection. */
const keepAliveMs = 75_000

/**
 * Serves the models of a folder over HTTP. Listens at once, so that health can be asked while they load, and settles when each is
 * ready or left out.
 * @throws InferenceError MODEL_NOT_FOUND for a folder without models, INVALID_INPUT for a port that can't be had (`data.port`),
 * NOT_A_MODEL if no model could be loaded; `signal.reason`
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { dir, port = defaultPort, host = defaultHost, drainMs = defaultDrainMs } = options
  const models = await repository(dir, options)
  const http = createServer()
  http.keepAliveTimeout = keepAliveMs
  const url = await listen(http, port, host)
  const app = server({ ...options, models })
  const answers = new Set<Promise<unknown>>()
  http.on('request', (_, response) => remember(answers, response))
  http.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  options.log?.(`listening on ${url}`)
  let closed: Promise<void> | undefined

  async function end(): Promise<void> {
    // An answer that is being written is as good as a running request: whoever reads slowly still gets the whole of it.
    await within(
      app.dispose().then(() => Promise.all(answers)),
      drainMs,
    )
    await new Promise<void>((resolve) => {
      http.close(() => resolve())
      http.closeAllConnections()
    })
  }
  const close = (): Promise<void> => {
    closed ??= end()
    return closed
  }

  try {
    const states = await unlessAborted(app.loaded, options.signal)
    if (states.every(({ session }) => session === undefined)) throw noModel(dir, states)
    return { url, models: states, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

function listen(http: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port, host)))
    http.listen(port, host, () => {
      const { port: actual } = http.address() as AddressInfo
      // A wildcard is no address that one can call.
      const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
      resolve(`http://${name}:${actual}`)
    })
  })
}

function portError(error: NodeJS.ErrnoException, port: number, host: string): InferenceError {
  const known: { readonly [code: string]: string } = {
    EADDRINUSE: `port ${port} on ${host} is in use: stop what listens there, or choose another port`,
    EACCES: `port ${port} on ${host} may not be used by this user: choose one above 1023`,
    EADDRNOTAVAIL: `this machine has no address ${host}: choose another host`,
    ENOTFOUND: `there is no host ${host}: choose another`,
  }
  const message = known[error.code ?? ''] ?? `can't listen on port ${port} of ${host}: ${error.message}`
  return new InferenceError('INVALID_INPUT', message, { cause: error, data: { port, host } })
}

function noModel(dir: string, models: readonly ModelState[]): InferenceError {
  const reasons = models.map(({ reason }) => reason).join('; ')
  return new InferenceError('NOT_A_MODEL', `no model in ${dir} could be loaded: ${reasons}`)
}

/** @throws `signal.reason` */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Keeps `response` among `answers` until its last byte is on its way or its client is gone. */
function remember(answers: Set<Promise<unknown>>, response: ServerResponse): void {
  const answered = new Promise<void>((resolve) => response.once('close', resolve)).then(() => {
    answers.delete(answered)
  })
  answers.add(answered)
}

/** Waits for `work`, but no longer than `ms`. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
