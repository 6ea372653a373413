import { InferenceError, type Tensor, tensor } from '@tandem/sdk'
import { decodeResponse, encodeRequest } from '@tandem/sdk/oip'
import { type MemoryModel, memorySession } from '@tandem/sdk/testing'
import { describe, expect, it } from 'vitest'
import type { ServedModel } from './models.js'
import { type Server, type ServerOptions, server } from './server.js'

/** Triton's own test model: INT32 [n, 16] twice, sum and difference out. */
const addSub: MemoryModel = {
  name: 'add',
  inputs: ['INPUT0', 'INPUT1'].map((name) => ({ name, dtype: 'int32', shape: ['n', 16] })),
  outputs: ['OUTPUT0', 'OUTPUT1'].map((name) => ({ name, dtype: 'int32', shape: ['n', 16] })),
  compute({ INPUT0, INPUT1 }) {
    const [a, b] = [INPUT0 as Tensor<'int32'>, INPUT1 as Tensor<'int32'>]
    const combine = (sign: number): Tensor => ({
      ...a,
      data: a.data.map((x, i) => x + sign * (b.data[i] ?? 0)),
    })
    return { OUTPUT0: combine(1), OUTPUT1: combine(-1) }
  },
}

const echo = (name: string, dtype: Tensor['dtype']): MemoryModel => ({
  name,
  inputs: [{ name: 'x', dtype, shape: [''] }],
  outputs: [{ name: 'y', dtype, shape: [''] }],
  compute: ({ x }) => ({ y: x as Tensor }),
})

const broken = (name: string, error: unknown): MemoryModel => ({
  ...echo(name, 'float32'),
  compute: () => {
    throw error
  },
})

const inMemory = (model: MemoryModel, version = '1'): ServedModel => ({
  name: model.name,
  version,
  load: async () => memorySession(model),
})

async function up(models: readonly ServedModel[], options: Partial<ServerOptions> = {}): Promise<Server> {
  const app = server({ models, ...options })
  await app.loaded
  return app
}

const at = (path: string, init: RequestInit = {}): Request => new Request(`http://host${path}`, init)
const post = (model: string, body: unknown, headers: Record<string, string> = {}): Request => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return at(`/v2/models/${model}/infer`, { method: 'POST', body: text, headers })
}

const ones = Array.from({ length: 16 }, () => 1)
const input = (name: string, changes: object = {}): object => ({
  name,
  shape: [1, 16],
  datatype: 'INT32',
  data: ones,
  ...changes,
})
const both = (first: object = {}): object => ({ inputs: [input('INPUT0', first), input('INPUT1')] })

describe('endpoints', () => {
  const app = up([
    inMemory(addSub),
    inMemory({ ...addSub, name: 'add' }, '12'),
    inMemory(echo('input:0 /ü', 'string')),
  ])
  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const response = await (await app).fetch(at(path))
    return { status: response.status, body: await response.json() }
  }

  it.each([
    ['/v2/health/live', { live: true }],
    ['/v2/health/ready', { ready: true }],
    ['/v2', { name: 'tandem', version: '0.1.0', extensions: ['binary_tensor_data'] }],
    ['/v2/models', { models: ['add', 'input:0 /ü'] }],
    ['/v2/models/add/ready', { name: 'add', ready: true }],
    ['/v2/models/add/versions/1/ready', { name: 'add', ready: true }],
  ])('GET %s', async (path, body) => {
    expect(await get(path)).toEqual({ status: 200, body })
  })

  it('describes a model, −1 for what varies, with the names of what inputs share', async () => {
    const { body } = await get('/v2/models/add')
    const port = (name: string): object => ({ name, datatype: 'INT32', shape: [-1, 16], dims: ['n', 16] })
    expect(body).toEqual({
      name: 'add',
      versions: ['1', '12'],
      platform: 'onnxruntime_onnx',
      inputs: [port('INPUT0'), port('INPUT1')],
      outputs: [port('OUTPUT0'), port('OUTPUT1')],
    })
  })

  it('finds a model by its encoded name', async () => {
    expect((await get('/v2/models/input%3A0%20%2F%C3%BC')).body).toMatchObject({ name: 'input:0 /ü' })
    expect((await get('/v2/models/input:0%20%2F%C3%BC/ready')).status).toBe(200)
  })

  it.each([
    '/v2/models/nope',
    '/v2/models/add/versions/7',
    '/v2/models/add/versions/v1',
    '/v2/models/add/',
    '/v2/',
    '/',
    '/v2/models/%zz',
    '/v2/models/add/infer/more',
  ])('GET %s is 404 with a reason', async (path) => {
    const { status, body } = await get(path)
    expect(status).toBe(404)
    expect(body).toMatchObject({ error: expect.any(String), code: expect.any(String) })
  })

  it('answers with the highest version, or the one asked for', async () => {
    const versionOf = async (path: string): Promise<unknown> => {
      const response = await (await app).fetch(at(path, { method: 'POST', body: JSON.stringify(both()) }))
      return ((await response.json()) as { model_version: string }).model_version
    }
    expect(await versionOf('/v2/models/add/infer')).toBe('12')
    expect(await versionOf('/v2/models/add/versions/1/infer')).toBe('1')
  })

  it.each([
    ['DELETE', '/v2', 'GET, HEAD, OPTIONS'],
    ['POST', '/v2/models/add', 'GET, HEAD, OPTIONS'],
    ['GET', '/v2/models/add/infer', 'POST, OPTIONS'],
    ['HEAD', '/v2/models/add/infer', 'POST, OPTIONS'],
    ['PUT', '/v2/models/add/infer', 'POST, OPTIONS'],
  ])('%s %s is 405 and names what is allowed', async (method, path, allow) => {
    const response = await (await app).fetch(at(path, { method }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  })

  it('answers HEAD like GET without a body', async () => {
    const response = await (await app).fetch(at('/v2', { method: 'HEAD' }))
    const length = (await (await app).fetch(at('/v2'))).headers.get('content-length')
    expect([response.status, await response.text(), response.headers.get('content-length')]).toEqual([
      200,
      '',
      length,
    ])
  })
})

describe('pages', () => {
  const app = up([inMemory(addSub)])

  it('answers a preflight with every header that the page wants to send', async () => {
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'inference-header-content-length,x-tenant',
      'access-control-request-private-network': 'true',
    }
    const response = await (await app).fetch(at('/v2/models/add/infer', { method: 'OPTIONS', headers }))
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
    expect(response.headers.get('access-control-allow-private-network')).toBe('true')
    const allowed = response.headers.get('access-control-allow-headers')?.split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining(['inference-header-content-length', 'traceparent', 'content-type', 'x-tenant']),
    )
  })

  it.each(['/v2', '/nope', '/v2/models/nope/infer', '/v2/models/add/infer'])(
    'lets any page read %s',
    async (path) => {
      const { headers } = await (await app).fetch(at(path))
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('timing-allow-origin')).toBe('*')
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      const exposed = headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining([
          'inference-header-content-length',
          'server-timing',
          'traceparent',
          'x-request-id',
        ]),
      )
    },
  )
})

describe('infer', () => {
  const app = up([
    inMemory(addSub),
    inMemory(echo('halves', 'float16')),
    inMemory(echo('floats', 'float32')),
    inMemory(echo('texts', 'string')),
  ])

  it('answers JSON with JSON, in flat data and with its durations', async () => {
    const response = await (await app).fetch(post('add', { id: 'a 1', ...both() }))
    expect(response.headers.get('content-type')).toBe('application/json')
    const body = (await response.json()) as { parameters: Record<string, number> }
    const output = (name: string, data: number[]): object => ({
      name,
      shape: [1, 16],
      datatype: 'INT32',
      data,
    })
    expect(body).toMatchObject({
      id: 'a 1',
      model_name: 'add',
      model_version: '1',
      outputs: [output('OUTPUT0', Array(16).fill(2)), output('OUTPUT1', Array(16).fill(0))],
    })
    const { parameters } = body
    expect(parameters.batch_size).toBe(1)
    const stages = ['queue_ms', 'input_ms', 'inference_ms', 'output_ms'].map(
      (name) => parameters[name] ?? Number.NaN,
    )
    expect(stages.every((ms) => ms >= 0)).toBe(true)
    expect(stages.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual((parameters.total_ms ?? 0) + 0.004)
    const header = `queue;dur=${parameters.queue_ms}, input;dur=${parameters.input_ms}, inference;dur=${parameters.inference_ms}`
    const rest = `output;dur=${parameters.output_ms}, total;dur=${parameters.total_ms}`
    expect(response.headers.get('server-timing')).toBe(`${header}, ${rest}`)
  })

  it('mixes forms in the order asked for', async () => {
    const inputs = ['INPUT0', 'INPUT1'].map((name) => ({ name, tensor: tensor('int32', ones, [1, 16]) }))
    const outputs = [
      { name: 'OUTPUT1', binary: true },
      { name: 'OUTPUT0', binary: false },
    ]
    const { body, headers } = encodeRequest({ inputs, outputs }, { binary: true })
    const response = await (await app).fetch(at('/v2/models/add/infer', { method: 'POST', body, headers }))
    const length = response.headers.get('inference-header-content-length')
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    const answer = decodeResponse(new Uint8Array(await response.arrayBuffer()), length)
    expect(Object.keys(answer.outputs)).toEqual(['OUTPUT1', 'OUTPUT0'])
    expect(answer.outputs.OUTPUT0?.data).toEqual(new Int32Array(16).fill(2))
  })

  it('gives only the outputs asked for', async () => {
    const response = await (await app).fetch(post('add', { ...both(), outputs: [{ name: 'OUTPUT1' }] }))
    const { outputs } = (await response.json()) as { outputs: { name: string }[] }
    expect(outputs.map(({ name }) => name)).toEqual(['OUTPUT1'])
  })

  it('takes a batch of no rows', async () => {
    const empty = { shape: [0, 16], data: [] }
    const response = await (await app).fetch(
      post('add', { inputs: [input('INPUT0', empty), input('INPUT1', empty)] }),
    )
    expect(await response.json()).toMatchObject({
      outputs: [{ shape: [0, 16], data: [] }, { shape: [0, 16] }],
    })
  })

  it('takes the bare bytes of a model’s one input, and answers in bytes', async () => {
    const raw = async (model: string, body: Uint8Array<ArrayBuffer>): Promise<Response> => {
      const headers = { 'inference-header-content-length': '0' }
      return (await app).fetch(at(`/v2/models/${model}/infer`, { method: 'POST', body, headers }))
    }
    const answer = async (response: Response): Promise<Tensor | undefined> => {
      const length = response.headers.get('inference-header-content-length')
      return decodeResponse(new Uint8Array(await response.arrayBuffer()), length).outputs.y
    }
    const floats = new Float32Array([1.5, -2])
    expect(await answer(await raw('floats', new Uint8Array(floats.buffer)))).toEqual(
      tensor('float32', floats),
    )
    expect(await answer(await raw('texts', new TextEncoder().encode('é')))).toEqual(tensor('string', ['é']))
    const refusals = await Promise.all([raw('add', new Uint8Array(64)), raw('floats', new Uint8Array(7))])
    expect(refusals.map(({ status }) => status)).toEqual([400, 400])
    expect(await refusals[0]?.json()).toMatchObject({ error: expect.stringContaining('got 2 inputs') })
    expect(await refusals[1]?.json()).toMatchObject({
      error: expect.stringContaining('7 bytes are no multiple of 4'),
    })
  })

  const refused: [string, string, unknown, string, string | undefined][] = [
    ['not JSON', 'add', 'hello', 'failed to parse the JSON', undefined],
    ['no inputs', 'add', {}, "Unable to parse 'inputs'", 'inputs'],
    ['an empty list', 'add', { inputs: [] }, 'expected 2 inputs but got 0 inputs', 'inputs'],
    ['a negative size', 'add', both({ shape: [-1, 16] }), '0 or more', 'inputs[0].shape[0]'],
    [
      'too few values',
      'add',
      both({ data: [1] }),
      'holds 1, and its shape [1,16] takes 16',
      'inputs[0].data',
    ],
    [
      'a value beyond the range',
      'add',
      both({ data: [...ones.slice(1), 2 ** 31] }),
      'INT32',
      'inputs[0].data[15]',
    ],
    [
      'a missing input',
      'add',
      { inputs: [input('INPUT0')] },
      "expected 2 inputs but got 1 inputs for model 'add'. Got input(s) ['INPUT0'], but missing required input(s) ['INPUT1']. Please provide all required input(s).",
      'inputs',
    ],
    [
      'an unknown input',
      'add',
      { inputs: [input('INPUT0'), input('INPUT1'), input('X')] },
      "unexpected inference input 'X' for model 'add'",
      'inputs[2].name',
    ],
    [
      'an unknown output',
      'add',
      { ...both(), outputs: [{ name: 'NOPE' }] },
      "unexpected inference output 'NOPE' for model 'add'",
      'outputs[0].name',
    ],
    [
      'an input twice',
      'add',
      { inputs: [input('INPUT0'), input('INPUT0')] },
      "input 'INPUT0' already exists in request",
      'inputs[1].name',
    ],
    [
      'another datatype',
      'add',
      both({ datatype: 'FP32' }),
      "inference input 'INPUT0' data-type is 'FP32', but model 'add' expects 'INT32'",
      'inputs[0].datatype',
    ],
    [
      'a shape without its batch',
      'add',
      both({ shape: [16] }),
      "unexpected shape for input 'INPUT0' for model 'add'. Expected [-1,16], got [16]: send such as [1,16]",
      'inputs[0].shape',
    ],
    [
      'two batch sizes',
      'add',
      both({ shape: [2, 16], data: [...ones, ...ones] }),
      '"n"',
      'inputs[1].shape[0]',
    ],
    [
      'float16 as JSON',
      'halves',
      { inputs: [{ name: 'x', shape: [1], datatype: 'FP16', data: [1] }] },
      'receiving FP16 data via JSON is not supported',
      'inputs[0].data',
    ],
    [
      'a string that the runtime would cut',
      'texts',
      { inputs: [{ name: 'x', shape: [2], datatype: 'BYTES', data: ['a', 'b\0c'] }] },
      'NUL',
      'inputs[0].data[1]',
    ],
    [
      'an answer that JSON can not carry',
      'floats',
      { inputs: [{ name: 'x', shape: [1], datatype: 'FP32', data: ['NaN'] }] },
      'binary_data: true',
      'outputs[0].data[0]',
    ],
    [
      'a timeout of text',
      'add',
      { ...both(), parameters: { timeout: 'soon' } },
      'microseconds',
      'parameters.timeout',
    ],
  ]

  it.each(refused)('answers 400 for %s', async (_what, model, body, error, path) => {
    const response = await (await app).fetch(post(model, body))
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: expect.stringContaining(error),
      code: 'INVALID_INPUT',
      path,
    })
    expect((await (await app).fetch(post('add', both()))).status).toBe(200)
  })

  it('echoes the request id, and never an id that a header can not carry', async () => {
    const idOf = async (request: Request): Promise<unknown> =>
      (await (await app).fetch(request)).headers.get('x-request-id')
    expect(await idOf(post('add', { id: 'from-body', ...both() }))).toBe('from-body')
    expect(await idOf(post('add', { id: 'b', ...both() }, { 'x-request-id': 'from-header' }))).toBe(
      'from-header',
    )
    expect(await idOf(post('add', {}, { 'x-request-id': 'refused' }))).toBe('refused')
    expect(await idOf(post('add', { id: 'a\r\nset-cookie: x', ...both() }))).toBeNull()
    expect(await idOf(post('add', { id: 'x'.repeat(20_000), ...both() }))).toBeNull()
  })

  it('quotes no more of a request than a reader needs', async () => {
    const long = 'x'.repeat(1_000_000)
    for (const body of [
      both({ name: long }),
      both({ datatype: long }),
      both({ shape: Array(100_000).fill(1) }),
    ]) {
      const response = await (await app).fetch(post('add', body))
      expect([response.status, (await response.text()).length < 5000]).toEqual([400, true])
    }
    const member = await (await app).fetch(post('add', { ...both(), parameters: { [long]: null } }))
    expect([member.status, (await member.text()).length < 5000]).toEqual([400, true])
  })
})

describe('failures', () => {
  it('keeps what is our fault to itself and to the log', async () => {
    const lines: string[] = []
    const log = (line: string): void => void lines.push(line)
    const crash = new InferenceError('REALM_CRASHED', 'the realm died')
    const app = await up(
      [inMemory(broken('odd', new TypeError('secret /home/x'))), inMemory(broken('gone', crash))],
      {
        log,
      },
    )
    const body = { inputs: [{ name: 'x', shape: [1], datatype: 'FP32', data: [1] }] }
    const odd = await app.fetch(post('odd', body))
    expect([odd.status, await odd.text()]).toEqual([500, expect.not.stringContaining('secret')])
    const gone = await app.fetch(post('gone', body))
    expect([gone.status, await gone.json()]).toEqual([
      500,
      { error: 'the realm died', code: 'REALM_CRASHED' },
    ])
    expect(lines.join()).toContain('secret')
  })

  it('answers 503 while a model loads, and ready when it has', async () => {
    let finish: (() => void) | undefined
    const slow: ServedModel = {
      name: 'slow',
      version: '1',
      load: () => new Promise((resolve) => (finish = () => resolve(memorySession(addSub)))),
    }
    const app = server({ models: [inMemory({ ...addSub, name: 'quick' }), slow] })
    const statusOf = async (request: Request): Promise<number> => (await app.fetch(request)).status
    const infer = await app.fetch(post('slow', both()))
    expect([infer.status, infer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await statusOf(at('/v2/health/ready'))).toBe(503)
    expect(await statusOf(at('/v2/health/live'))).toBe(200)
    finish?.()
    await app.loaded
    expect(await statusOf(at('/v2/health/ready'))).toBe(200)
    expect(await statusOf(post('slow', both()))).toBe(200)
  })

  it('serves the others when one stays out, and says why', async () => {
    const bad: ServedModel = {
      name: 'bad',
      version: '1',
      load: () => Promise.reject(new Error('bad.onnx: torn')),
    }
    const app = await up([inMemory(addSub), bad])
    const response = await app.fetch(post('bad', both()))
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: expect.stringContaining('bad.onnx: torn'), code: 'MODEL_NOT_FOUND' },
    ])
    expect((await app.fetch(post('add', both()))).status).toBe(200)
    const index = await app.fetch(at('/v2/repository/index', { method: 'POST' }))
    expect(await index.json()).toEqual([
      { name: 'add', version: '1', state: 'READY' },
      { name: 'bad', version: '1', state: 'UNAVAILABLE', reason: 'bad.onnx: torn' },
    ])
  })

  it('is full beyond its queue, and gives up a deadline that passes in it', async () => {
    let open: (() => void) | undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    const model: MemoryModel = {
      ...addSub,
      async compute(feeds) {
        await gate
        return addSub.compute(feeds)
      },
    }
    const app = await up([
      { name: 'add', version: '1', load: async () => memorySession(model, { maxQueue: 1 }) },
    ])
    const running = app.fetch(post('add', both()))
    const late = app.fetch(post('add', { ...both(), parameters: { timeout: 1000 } }))
    expect(await (await late).json()).toMatchObject({ code: 'DEADLINE' })
    const waiting = app.fetch(post('add', both()))
    await app.fetch(at('/v2'))
    const full = await app.fetch(post('add', both()))
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await full.json()).toMatchObject({ code: 'QUEUE_FULL' })
    open?.()
    expect([(await running).status, (await waiting).status]).toEqual([200, 200])
  })

  it('drains: what runs ends, what comes is 503, and twice is once', async () => {
    let open: (() => void) | undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    const model: MemoryModel = {
      ...addSub,
      async compute(feeds) {
        await gate
        return addSub.compute(feeds)
      },
    }
    const app = await up([inMemory(model)])
    const running = app.fetch(post('add', both()))
    const ended = Promise.all([app.dispose(), app.dispose()])
    const refusals = await Promise.all([app.fetch(post('add', both())), app.fetch(at('/v2/health/ready'))])
    expect(refusals.map(({ status }) => status)).toEqual([503, 503])
    expect((await app.fetch(at('/v2/health/live'))).status).toBe(200)
    open?.()
    expect((await running).status).toBe(200)
    await ended
  })
})
