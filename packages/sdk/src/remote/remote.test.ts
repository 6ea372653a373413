import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { InferenceError } from '../error.js'
import { decodeRequest, encodeResponse, type InferRequest } from '../oip/index.js'
import { tensor } from '../tensor.js'
import type { RemoteOptions } from './options.js'
import { remote } from './remote.js'

/** Answers one path; undefined lets the default answer. */
type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array<ArrayBuffer>,
) => boolean | undefined

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const port = (name: string, shape: number[]): object => ({ name, datatype: 'FP32', shape })
const metadata = { name: 'm', platform: 'test', inputs: [port('x', [-1])], outputs: [port('y', [-1])] }
const feeds = { x: tensor('float32', [1, 2]) }

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  return true
}

/** A server that echoes `x` as `y`, except where `answer` takes over. */
async function start(
  answer: Answer = () => undefined,
  extensions: string[] = ['binary_tensor_data'],
): Promise<string> {
  const http = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = new Uint8Array(Buffer.concat(chunks))
    if (answer(request, response, body)) return
    if (request.url === '/v2') return json(response, 200, { name: 'test', version: '9', extensions })
    if (request.method === 'GET') return json(response, 200, metadata)
    const asked = decodeRequest(body, headerOf(request))
    const outputs = asked.inputs.map((input) => ({ ...input, name: 'y', binary: extensions.length > 0 }))
    const encoded = encodeResponse({ model: 'm', version: '1', parameters: () => ({}), outputs })
    response.writeHead(200, encoded.headers).end(encoded.body)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  closing.push(() => {
    http.close()
    http.closeAllConnections()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/v2/models/m`
}

const headerOf = (request: IncomingMessage): string | null => {
  const value = request.headers['inference-header-content-length']
  return typeof value === 'string' ? value : null
}

/** Only infer. */
const onInfer =
  (answer: (response: ServerResponse, request: IncomingMessage) => void): Answer =>
  (request, response) => {
    if (request.method !== 'POST') return undefined
    answer(response, request)
    return true
  }

async function failure(work: Promise<unknown>): Promise<InferenceError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (InferenceError.is(error)) return error
  throw new Error(`no InferenceError: ${String(error)}`)
}

describe('what it sends', () => {
  const sent = async (
    extensions: string[],
    options: RemoteOptions = {},
    run: Parameters<Awaited<ReturnType<typeof remote>>['run']>[1] = {},
  ): Promise<{ request: InferRequest; headers: IncomingMessage['headers'] }> => {
    let seen: { request: InferRequest; headers: IncomingMessage['headers'] } | undefined
    const url = await start((request, _response, body) => {
      if (request.method === 'POST')
        seen = { request: decodeRequest(body, headerOf(request)), headers: request.headers }
      return undefined
    }, extensions)
    const session = await remote(url, options)
    expect((await session.run(feeds, run)).outputs.y).toEqual(feeds.x)
    if (seen === undefined) throw new Error('nothing came')
    return seen
  }

  it('is binary where the server takes it, and says so for every output', async () => {
    const { request, headers } = await sent(['binary_tensor_data'])
    expect(headers['content-type']).toBe('application/octet-stream')
    expect(request.outputs).toEqual([{ name: 'y', binary: true }])
  })

  it('is JSON where it does not', async () => {
    const { request, headers } = await sent([])
    expect(headers['content-type']).toBe('application/json')
    expect(request.outputs).toEqual([{ name: 'y', binary: false }])
  })

  it('carries the request id, the deadline, the headers and the trace', async () => {
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true }
    const { request, headers } = await sent(
      [],
      { headers: async () => ({ authorization: 'Bearer t' }) },
      { requestId: 'r-1', deadlineMs: 30_000, trace },
    )
    expect([request.id, request.parameters]).toEqual(['r-1', { timeout: 30_000_000 }])
    expect(headers).toMatchObject({
      'x-request-id': 'r-1',
      authorization: 'Bearer t',
      traceparent: `00-${trace.traceId}-${trace.spanId}-01`,
    })
  })

  it('refuses bad feeds before anything is sent', async () => {
    const session = await remote(await start(onInfer(() => expect.unreachable())))
    const error = await failure(session.run({ x: tensor('int8', [1]) } as never))
    expect([error.code, error.data?.path]).toEqual(['INVALID_INPUT', 'feeds.x.dtype'])
  })
})

describe('what it makes of answers', () => {
  it.each([
    ['ours', 400, { error: 'bad', code: 'INVALID_INPUT', path: 'inputs[0].data[3]' }, 'INVALID_INPUT', 'bad'],
    [
      'Triton, 500 for what it can not read',
      500,
      { error: 'failed to parse the request JSON' },
      'INVALID_INPUT',
      'parse',
    ],
    [
      'FastAPI',
      422,
      { detail: [{ loc: ['body', 'x'], msg: 'field required' }] },
      'INVALID_INPUT',
      'body.x field required',
    ],
    ['a gateway', 413, { message: 'too large' }, 'INVALID_INPUT', 'too large'],
    ['an unknown model', 404, { error: 'not found' }, 'MODEL_NOT_FOUND', 'not found'],
    ['our queue', 503, { error: 'full', code: 'QUEUE_FULL' }, 'QUEUE_FULL', 'full'],
    ['Triton’s queue', 503, { error: 'Exceeds maximum queue size' }, 'QUEUE_FULL', 'queue'],
    ['a deadline in the queue', 503, { error: 'late', code: 'DEADLINE' }, 'DEADLINE', 'late'],
    ['draining', 503, { error: 'bye', code: 'DRAINING' }, 'REMOTE', 'bye'],
    ['too many requests', 429, { error: 'slow down' }, 'QUEUE_FULL', 'slow down'],
    ['no access', 401, { error: 'who?' }, 'REMOTE', 'option headers'],
    ['a failure', 500, { error: 'oh', code: 'REALM_CRASHED' }, 'REMOTE', 'oh'],
    ['JSON of no form', 500, [1], 'REMOTE', '[1]'],
    ['null', 500, null, 'REMOTE', 'null'],
  ])('%s: %i', async (_who, status, body, code, text) => {
    const url = await start(onInfer((response) => json(response, status, body, { 'retry-after': '2' })))
    const error = await failure((await remote(url)).run(feeds))
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(text)])
    expect(error.data).toMatchObject({ status, retryAfterMs: 2000, url: `${url}/infer` })
    if (status === 400)
      expect(error.data).toMatchObject({ path: 'inputs[0].data[3]', serverCode: 'INVALID_INPUT' })
  })

  it.each([
    ['a page with status 200', 200, '<!doctype html><p>hello', 'text/html', 'web page'],
    ['a page with status 502', 502, '<html>Bad gateway', 'text/html', 'answered 502: a web page'],
    ['garbage', 200, '\u0001\u0002', 'application/octet-stream', "can't be read"],
    ['nothing', 500, '', 'text/plain', 'nothing more'],
    ['an answer without the output', 200, '{"outputs":[]}', 'application/json', "left out the output 'y'"],
  ])('says that it is %s', async (_what, status, body, type, text) => {
    const url = await start(
      onInfer((response) => response.writeHead(status, { 'content-type': type }).end(body)),
    )
    const error = await failure((await remote(url)).run(feeds))
    expect([error.code, error.message]).toEqual(['REMOTE', expect.stringContaining(text)])
  })

  it('reads a broken connection as REMOTE, with the cause', async () => {
    const url = await start(
      onInfer((response) => void response.writeHead(200, { 'content-length': '9' }).destroy()),
    )
    const error = await failure((await remote(url)).run(feeds))
    expect([error.code, error.cause]).toEqual(['REMOTE', expect.any(Error)])
  })

  it('takes the stages from Server-Timing where the body has none, and leaves the unknown null', async () => {
    const header = 'queue;dur=0.5, inference;desc="x";dur=1.25, total;dur=2, cdn;desc=HIT'
    const times = async (headers: Record<string, string>): Promise<unknown> => {
      const body = { model_name: 'm', outputs: [{ name: 'y', shape: [1], datatype: 'FP32', data: [1] }] }
      const url = await start(onInfer((response) => json(response, 200, body, headers)))
      const { timings } = await (await remote(url)).run(feeds)
      return {
        ...timings,
        total: timings.total > 0,
        network: timings.network === null ? null : timings.network >= 0,
      }
    }
    const unknown = {
      queue: null,
      preprocess: null,
      input: null,
      inference: null,
      output: null,
      postprocess: null,
    }
    const rest = { total: true, batchSize: 1, cache: 'none' }
    expect(await times({})).toEqual({ ...unknown, ...rest, network: null, computeShare: null })
    expect(await times({ 'server-timing': header })).toEqual({
      ...unknown,
      ...rest,
      queue: 0.5,
      inference: 1.25,
      network: true,
      computeShare: 1.25,
    })
  })
})

describe('what it makes of metadata', () => {
  const describing =
    (body: unknown): Answer =>
    (request, response) =>
      request.url === '/v2/models/m' ? json(response, 200, body) : undefined

  it('takes a server that does not tell its ports', async () => {
    const session = await remote(await start(describing({ name: 'm', inputs: [], outputs: null })))
    expect((await session.run(feeds)).outputs.y).toEqual(feeds.x)
  })

  it('refuses a datatype that no tensor holds', async () => {
    const url = await start(
      describing({ ...metadata, inputs: [{ name: 'x', datatype: 'BF16', shape: [1] }] }),
    )
    expect(await failure(remote(url))).toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('BF16'),
    })
  })

  it.each([[[1]], ['hello'], [null], [{ inputs: [] }]])('says that %j is none', async (body) => {
    expect((await failure(remote(await start(describing(body))))).code).toBe('REMOTE')
  })

  it('takes a hidden GET /v2 for a server without extensions', async () => {
    const url = await start(
      (request, response) => (request.url === '/v2' ? json(response, 404, {}) : undefined),
      [],
    )
    expect((await remote(url)).info.runtime).toBe('test')
  })

  it.each([
    '',
    'http://host',
    'http://host/v2/models/',
    'http://host/v2/models/%zz',
    'http://u:pw@host/x?key=secret',
  ])('refuses the address %j, and keeps its secrets', async (url) => {
    const error = await failure(remote(url))
    expect(error.code).toBe('INVALID_INPUT')
    expect(error.message).not.toMatch(/secret|pw/)
  })

  it('says how to reach a server that is not there', async () => {
    const url = await start()
    for (const close of closing.splice(0)) close()
    const error = await failure(remote(`${url}?key=secret`))
    expect([error.code, error.message]).toEqual(['REMOTE', expect.stringContaining('is the server running')])
    expect(JSON.stringify([error.message, error.data])).not.toContain('secret')
  })
})

describe('how it ends', () => {
  it('rejects at once on abort and deadline, even if fetch never settles', async () => {
    const url = await start()
    const never: typeof fetch = (input, init) =>
      init?.method === 'POST' ? new Promise(() => {}) : fetch(input, init)
    const session = await remote(url, { fetch: never, timeoutMs: 2 ** 40 })
    const late = await failure(session.run(feeds, { deadlineMs: 5 }))
    expect([late.code, late.data?.deadlineMs]).toEqual(['DEADLINE', 5])
    const controller = new AbortController()
    const run = session.run(feeds, { signal: controller.signal })
    const reason = { my: 'reason' }
    controller.abort(reason)
    await expect(run).rejects.toBe(reason)
  })

  it('rejects at once on abort and deadline while the option headers is asked, and names it when it fails', async () => {
    const url = await start()
    let isAsked = 0
    let headers = (): Promise<Record<string, string>> => Promise.resolve({})
    const session = await remote(url, { headers: () => headers() })
    headers = () => {
      isAsked++
      return new Promise(() => {})
    }
    expect((await failure(session.run(feeds, { deadlineMs: 5 }))).code).toBe('DEADLINE')
    const controller = new AbortController()
    const run = session.run(feeds, { signal: controller.signal })
    expect(isAsked).toBe(2)
    controller.abort('enough')
    await expect(run).rejects.toBe('enough')
    const stuck = await failure(remote(url, { headers, timeoutMs: 5 }))
    expect(stuck.code).toBe('REMOTE')
    headers = () => Promise.reject(new TypeError('no token'))
    const failed = await failure(session.run(feeds))
    expect([failed.code, failed.message]).toEqual(['REMOTE', expect.stringContaining('option headers')])
    expect(failed.cause).toBeInstanceOf(TypeError)
    await session.dispose()
  })

  it('takes a deadline without end', async () => {
    const session = await remote(await start())
    const { outputs } = await session.run(feeds, { deadlineMs: Number.POSITIVE_INFINITY })
    expect(outputs.y).toEqual(feeds.x)
  })

  it('does not wait for ever for a server that takes connections only', async () => {
    const url = await start(() => true)
    const error = await failure(remote(url, { timeoutMs: 20 }))
    expect([error.code, error.message]).toEqual(['REMOTE', expect.stringContaining('within 20 ms')])
    const signal = AbortSignal.abort('no')
    await expect(remote(url, { signal })).rejects.toBe('no')
  })

  it('disposes when what runs has ended', async () => {
    let finish: (() => void) | undefined
    const held: Answer = (request, response) => {
      if (request.method !== 'POST') return undefined
      finish = () => json(response, 503, { error: 'over' })
      return true
    }
    const session = await remote(await start(held))
    const run = failure(session.run(feeds))
    await expect.poll(() => finish, { timeout: 4000 }).toBeDefined()
    let isDisposed = false
    const disposed = session.dispose().then(() => {
      isDisposed = true
    })
    expect((await failure(session.run(feeds))).code).toBe('DISPOSED')
    expect(isDisposed).toBe(false)
    finish?.()
    expect((await run).code).toBe('REMOTE')
    await disposed
  })
})
