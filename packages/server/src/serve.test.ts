import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { InferenceError, remote, tensor } from '@tandem/sdk'
import { add, identity, slow } from '@tandem/sdk/testing'
import type { Recorder, Span } from '@tandem/telemetry'
import { afterEach, expect, it, vi } from 'vitest'
import { type Serving, serve } from './serve.node.js'

const patienceMs = 60_000
vi.setConfig({ testTimeout: patienceMs })

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function folder(files: Record<string, Uint8Array | string>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tandem-'))
  cleanups.push(() => rm(dir, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), content)
  }
  return dir
}

async function serving(files: Record<string, Uint8Array | string>, options: object = {}): Promise<Serving> {
  const started = await serve({ dir: await folder(files), port: 0, ...options })
  cleanups.push(() => started.close())
  return started
}

/** Keeps spans, with ids that count up. */
function recording(): Recorder & { readonly spans: Span[]; readonly opened: number } {
  const spans: Span[] = []
  let opened = 0
  return {
    spans,
    get opened() {
      return opened
    },
    child(parent) {
      const spanId = String(++opened).padStart(16, '0')
      return {
        traceId: parent?.traceId ?? 'a'.repeat(32),
        spanId,
        sampled: true,
        parentSpanId: parent?.spanId,
      }
    },
    record: (span) => void spans.push(span),
  }
}

const adding = { a: tensor('float32', [1, 2], [1, 2]), b: tensor('float32', [3, 4], [1, 2]) }

it('lays models out as Triton does, and takes loose files', async () => {
  const { url, models } = await serving({
    'tri/1/model.onnx': add().bytes,
    'tri/12/model.onnx': add().bytes,
    'tri/02/model.onnx': 'not a version',
    'tri/config.json': '{"maxQueueSize":3,"device":"cpu"}',
    'loose one.onnx': add().bytes,
    'tri.onnx': add().bytes,
    'wish/1/model.onnx': add().bytes,
    'wish/config.json': '{"max_batch_size":8}',
    'flat/model.onnx': add().bytes,
    'torn.onnx': 'hello',
    'notes/readme.md': 'nothing to serve',
    '.hidden.onnx': 'hello',
  })
  const table = models.map(({ name, version, state }) => `${name} ${version} ${state}`).sort()
  expect(table).toEqual([
    'flat 1 UNAVAILABLE',
    'loose one 1 READY',
    'torn 1 UNAVAILABLE',
    'tri 1 READY',
    'tri 1 UNAVAILABLE',
    'tri 12 READY',
    'wish 1 UNAVAILABLE',
  ])
  const reasonOf = (name: string): string | undefined => models.find((model) => model.name === name)?.reason
  expect(reasonOf('flat')).toContain('flat/1/model.onnx')
  expect(reasonOf('torn')).toContain('torn.onnx')
  expect(reasonOf('wish')).toContain("wish/config.json has the unknown key 'max_batch_size'")
  for (const { reason } of models) expect(reason ?? '').not.toContain(tmpdir())
  const session = await remote(`${url}/v2/models/loose%20one`)
  expect((await session.run(adding)).outputs.sum).toEqual(tensor('float32', [4, 6], [1, 2]))
})

it('leaves out what can’t be read, without telling where it lies', async () => {
  const dir = await folder({ 'add.onnx': add().bytes, 'loop/1/model.onnx': add().bytes })
  await symlink('config.json', join(dir, 'loop', 'config.json'))
  await mkdir(join(dir, 'folder', '1', 'model.onnx'), { recursive: true })
  await mkdir(join(dir, 'config', '1'), { recursive: true })
  await mkdir(join(dir, 'config', 'config.json'))
  await mkdir(join(dir, 'model.onnx'))
  const started = await serve({ dir, port: 0 })
  cleanups.push(() => started.close())
  const reasons = Object.fromEntries(started.models.map(({ name, reason }) => [name, reason]))
  expect(reasons).toEqual({
    add: undefined,
    config: "config/config.json can't be read (EISDIR)",
    folder: expect.stringContaining('folder/1/model.onnx'),
    loop: "loop/config.json can't be read (ELOOP)",
  })
  expect(JSON.stringify(reasons)).not.toContain(dir)
})

it.each([
  ['nothing there', '/nowhere/at/all', 'MODEL_NOT_FOUND', 'there is no folder /nowhere/at/all'],
  ['an empty folder', {}, 'MODEL_NOT_FOUND', 'put NAME.onnx or NAME/1/model.onnx into it'],
  ['no model that loads', { 'torn.onnx': 'hello' }, 'NOT_A_MODEL', 'torn.onnx'],
])('refuses to start with %s', async (_what, files, code, message) => {
  const dir = typeof files === 'string' ? files : await folder(files)
  await expect(serve({ dir, port: 0 })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  })
})

it('names the port that is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  cleanups.push(async () => void other.close())
  const { port } = other.address() as AddressInfo
  const dir = await folder({ 'add.onnx': add().bytes })
  const error: unknown = await serve({ dir, port }).catch((reason: unknown) => reason)
  expect(InferenceError.is(error, 'INVALID_INPUT') && error.data).toEqual({ port, host: '127.0.0.1' })
  expect(error).toMatchObject({ message: expect.stringContaining(`port ${port} on 127.0.0.1 is in use`) })
})

it('answers health while a model computes', async () => {
  const { url } = await serving({ 'slow.onnx': slow(250).bytes })
  const session = await remote(`${url}/v2/models/slow`)
  let isDone = false
  const run = session.run({ x: tensor('float32', [3]) }).finally(() => {
    isDone = true
  })
  let answers = 0
  while (!isDone) {
    await (await fetch(`${url}/v2/health/ready`)).text()
    answers++
  }
  await run
  expect(answers).toBeGreaterThan(5)
})

it('joins the client’s trace, one serve span a request', async () => {
  const [client, server] = [recording(), recording()]
  const { url } = await serving({ 'add.onnx': add().bytes }, { telemetry: server })
  const session = await remote(`${url}/v2/models/add`, { telemetry: client })
  const { timings } = await session.run(adding, { requestId: 'r 1' })
  const [infer, serve_] = [client.spans[0], server.spans[0]]
  expect([client.spans.length, server.spans.length]).toEqual([1, 1])
  expect(infer).toMatchObject({
    name: 'infer',
    kind: 'client',
    place: 'remote',
    device: 'remote',
    outcome: 'ok',
  })
  expect(serve_).toMatchObject({ name: 'serve', kind: 'server', model: 'add', device: 'cpu', outcome: 'ok' })
  expect(serve_?.context.parentSpanId).toBe(infer?.context.spanId)
  expect(serve_?.context.traceId).toBe(infer?.context.traceId)
  expect(infer?.stages?.inference).toBeCloseTo(serve_?.stages?.inference ?? -1, 2)
  const { queue, input, inference, output } = serve_?.stages ?? {}
  const sum = (queue ?? 0) + (input ?? 0) + (inference ?? 0) + (output ?? 0)
  expect(sum).toBeLessThanOrEqual((serve_?.durationMs ?? 0) + 0.01)
  expect(timings.network).toBeCloseTo(timings.total - (serve_?.durationMs ?? 0), 1)
})

it('records a refused request and keeps foreign names out of the figures', async () => {
  const telemetry = recording()
  const { url } = await serving({ 'add.onnx': add().bytes }, { telemetry })
  await (await fetch(`${url}/v2/models/add/infer`, { method: 'POST', body: 'hello' })).text()
  await (await fetch(`${url}/v2/models/${'x'.repeat(50)}/infer`, { method: 'POST', body: '{}' })).text()
  expect(telemetry.spans.map(({ model, outcome }) => [model, outcome])).toEqual([['add', 'INVALID_INPUT']])
})

it('drops a queued call when its client hangs up, and computes the next', async () => {
  const telemetry = recording()
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const { url } = await serving({ 'slow.onnx': slow(2000).bytes }, { telemetry, log })
  const session = await remote(`${url}/v2/models/slow`)
  const running = session.run({ x: tensor('float32', [1]) })
  await expect.poll(() => telemetry.opened, { timeout: patienceMs / 2 }).toBe(1)
  const hangUp = new AbortController()
  const queued = session.run({ x: tensor('float32', [2]) }, { signal: hangUp.signal })
  await expect.poll(() => telemetry.opened, { timeout: patienceMs / 2 }).toBe(2)
  hangUp.abort('enough')
  await expect(queued).rejects.toBe('enough')
  const next = session.run({ x: tensor('float32', [3]) })
  await Promise.all([running, next])
  expect(telemetry.spans.map(({ outcome }) => outcome)).toEqual(['cancelled', 'ok', 'ok'])
  expect(lines.filter((line) => line.startsWith('failed'))).toEqual([])
})

it('answers 413 to a client that is still sending, and cuts off one that stops', async () => {
  const { url } = await serving({ 'add.onnx': add().bytes }, { maxBodyBytes: 100_000, bodyStallMs: 50 })
  const target = `${url}/v2/models/add/infer`
  const tooMuch = await fetch(target, { method: 'POST', body: new Uint8Array(2_000_000) })
  expect([tooMuch.status, await tooMuch.json()]).toEqual([
    413,
    expect.objectContaining({ code: 'TOO_LARGE' }),
  ])
  const stalled = httpRequest(target, { method: 'POST', headers: { 'content-length': 500 } })
  stalled.on('error', () => {})
  stalled.write('{')
  const [response] = await once(stalled, 'response')
  expect(response.statusCode).toBe(408)
  stalled.destroy()
  expect((await fetch(`${url}/v2/health/live`)).status).toBe(200)
})

it('survives what is not HTTP', async () => {
  const { url } = await serving({ 'add.onnx': add().bytes })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end('hello\r\n\r\n')
  const [chunk] = await once(socket, 'data')
  expect(String(chunk)).toContain('400')
  expect((await fetch(`${url}/v2/health/live`)).status).toBe(200)
})

it('ends what runs, refuses what comes, and then listens no more', async () => {
  const { url, close } = await serving({ 'slow.onnx': slow(150).bytes })
  const session = await remote(`${url}/v2/models/slow`)
  await session.run({ x: tensor('float32', [0]) })
  const running = session.run({ x: tensor('float32', [5]) })
  const arrived = await session.run({ x: tensor('float32', [6]) })
  const last = session.run({ x: tensor('float32', [7]) })
  await fetch(`${url}/v2/health/live`)
  const closed = Promise.all([close(), close()])
  expect((await running).outputs.y?.data).toEqual(new Float32Array([5]))
  expect(arrived.outputs.y?.data).toEqual(new Float32Array([6]))
  await last.catch((error: unknown) => expect(InferenceError.is(error, 'REMOTE')).toBe(true))
  await closed
  await expect(fetch(`${url}/v2/health/live`)).rejects.toThrow()
})

it('writes an answer to its end while it closes, however slowly it is read', async () => {
  const { url, close } = await serving({ 'echo.onnx': identity('float32').bytes })
  const session = await remote(`${url}/v2/models/echo`, {
    // The headers are here, nothing of the body is read: then the server is told to close.
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (init?.method !== 'POST') return response
      const closed = close()
      const body = await response.arrayBuffer()
      await closed
      return new Response(body, { headers: response.headers })
    },
  })
  const x = tensor('float32', new Float32Array(4_000_000).fill(7))
  expect((await session.run({ x })).outputs.y?.data).toHaveLength(4_000_000)
})

it('does not wait for connections that ask nothing', async () => {
  const { url, close } = await serving({ 'add.onnx': add().bytes })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  await (await fetch(`${url}/v2/health/live`)).text()
  const ended = once(socket.resume(), 'close')
  await Promise.all([close(), ended])
})
