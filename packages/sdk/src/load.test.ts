import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load, type Progress, tensor } from '@tandem/sdk'
import { add, encodeModel, type GraphPort, identity, slow, twoOutputs } from '@tandem/sdk/testing'
import type { Span } from '@tandem/telemetry'
import { telemetry } from '@tandem/telemetry'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let server: Server
let url: string
let folder: string
const { bytes } = add()
const answers: { [path: string]: (response: ServerResponse) => void } = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-load-'))
  server = createServer(({ url: path = '' }, response) => {
    const answer = answers[path]
    if (answer === undefined) response.writeHead(404).end('nothing here')
    else answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

const feeds = { a: tensor('float32', [1, 2], [1, 2]), b: tensor('float32', [10, 20], [1, 2]) }

describe('load() finds a model', { timeout: 30_000 }, () => {
  it('by URL, path, file URL, bytes, buffer and Blob', async () => {
    answers['/add%20one.onnx?v=2'] = (response) => response.end(bytes)
    const path = join(folder, 'add.onnx')
    await writeFile(path, bytes)
    const sources = {
      'add one': `${url}/add%20one.onnx?v=2`,
      add: path,
      'add ': pathToFileURL(path),
      model: bytes,
      'model ': bytes.buffer,
      'model  ': new Blob([bytes]),
    }
    for (const [name, source] of Object.entries(sources)) {
      const session = await load(source)
      expect(session.info).toMatchObject({ model: name.trim() || 'model', device: 'cpu', place: 'local' })
      expect((await session.run(feeds)).outputs.sum?.data).toEqual(new Float32Array([11, 22]))
      await session.dispose()
    }
    // The caller's bytes stay the caller's.
    expect(bytes.byteLength).toBeGreaterThan(0)
  })

  it('with monotone progress that ends once at the total', async () => {
    const large = slow(1).bytes
    answers['/large'] = (response) => response.writeHead(200, { 'content-length': large.length }).end(large)
    answers['/unknown'] = (response) => response.end(large)
    for (const path of ['/large', '/unknown']) {
      const seen: Progress[] = []
      await using session = await load(url + path, { onProgress: (progress) => seen.push(progress) })
      expect(session.info.load.downloadMs).toBeGreaterThan(0)
      for (const [index, { loaded }] of seen.entries())
        expect(loaded).toBeGreaterThanOrEqual(seen[index - 1]?.loaded ?? 0)
      expect(seen.filter(({ loaded, total }) => loaded === total)).toEqual([
        { loaded: large.length, total: large.length },
      ])
      expect(seen.at(-1)?.total).toBe(large.length)
    }
  })
})

describe('load() says what is wrong', { timeout: 30_000 }, () => {
  const fails = (
    source: Parameters<typeof load>[0],
    options: Parameters<typeof load>[1],
    code: string,
    text: string,
  ) => expect(load(source, options)).rejects.toMatchObject({ code, message: expect.stringContaining(text) })

  it.each([
    ['an HTML page', '<!DOCTYPE html><html>…', 'begins "<!DOCTYPE html>'],
    ['JSON', ' {"error": "not found"}', 'JSON'],
    ['a git-lfs pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:00', 'git lfs pull'],
    ['nothing', '', 'empty'],
    ['garbage', '\u0007garbage\u0001'.repeat(100), 'whole ONNX model'],
  ])('when it is %s', async (_what, content, text) => {
    answers['/wrong.onnx'] = (response) => response.end(content)
    const path = join(folder, 'wrong.onnx')
    await writeFile(path, content)
    for (const source of [`${url}/wrong.onnx`, path, new TextEncoder().encode(content)]) {
      await fails(source, {}, 'NOT_A_MODEL', text)
    }
  })

  it('when nothing is there', async () => {
    await fails(`${url}/none.onnx`, {}, 'MODEL_NOT_FOUND', '404')
    await fails(join(folder, 'none.onnx'), {}, 'MODEL_NOT_FOUND', 'ENOENT')
    await fails('http://127.0.0.1:1/x.onnx', {}, 'MODEL_NOT_FOUND', 'could not be fetched')
    await fails(folder, {}, 'NOT_A_MODEL', 'folder')
    await fails(42 as never, {}, 'INVALID_INPUT', 'not number')
  })

  it('when the download breaks off', async () => {
    answers['/short'] = (response) => {
      response.writeHead(200, { 'content-length': 2 * bytes.length })
      response.write(bytes, () => response.destroy())
    }
    await fails(`${url}/short`, {}, 'INTEGRITY', 'broke off')
  })

  it('when half a model is there', async () => {
    await fails(slow(1).bytes.slice(0, 100_000), {}, 'NOT_A_MODEL', 'whole ONNX model')
  })

  it('when JavaScript cannot carry its inputs or outputs, by name', async () => {
    const cast = (from: GraphPort['dtype'], to: GraphPort['dtype'], code: number): Uint8Array =>
      encodeModel(
        {
          inputs: [{ name: 'input:0', dtype: from, shape: [2] }],
          outputs: [{ name: 'packed:0', dtype: to, shape: [2] }],
          nodes: [{ op: 'Cast', inputs: ['input:0'], outputs: ['packed:0'], attributes: { to: code } }],
        },
        { opset: 21 },
      )
    await fails(cast('float32', 'int4', 22), {}, 'UNSUPPORTED', 'packed:0')
    await fails(cast('uint4', 'float32', 1), {}, 'UNSUPPORTED', 'input:0')
    await fails(cast('float32', 'bfloat16', 16), {}, 'UNSUPPORTED', '')
  })

  it('when an operator is not known', async () => {
    const nodes = [{ op: 'NoSuchOperator', inputs: ['x'], outputs: ['y'] }]
    const port = { dtype: 'float32', shape: [1] } as const
    await fails(
      encodeModel({ inputs: [{ name: 'x', ...port }], outputs: [{ name: 'y', ...port }], nodes }),
      {},
      'UNSUPPORTED',
      'NoSuchOperator',
    )
  })

  it('when an option is wrong', async () => {
    await fails(bytes, { device: 'gpu' as 'cpu' }, 'INVALID_INPUT', 'cuda')
    await fails(bytes, { maxQueue: -1 }, 'INVALID_INPUT', 'maxQueue')
    await fails(bytes, { threads: 0 }, 'INVALID_INPUT', 'threads')
    await fails(bytes, { threads: 100_000 }, 'INVALID_INPUT', 'threads')
    await fails('file:///half%', {}, 'INVALID_INPUT', 'half%')
    await fails('file://elsewhere/x.onnx', {}, 'INVALID_INPUT', 'elsewhere')
    await fails(bytes, { host: 'thread' as 'worker' }, 'INVALID_INPUT', 'inline')
  })
})

describe('load() and devices', { timeout: 30_000 }, () => {
  it('a list ends on the CPU with the reason, one name is strict', async () => {
    await using session = await load(bytes, { device: ['cuda', 'cpu'] })
    expect(session.info.device).toBe('cpu')
    expect(session.info.attempts).toMatchObject([
      {
        device: 'cuda',
        outcome: 'skipped',
        code: 'DEVICE_UNAVAILABLE',
        reason: expect.stringContaining('cuda'),
      },
      { device: 'cpu', outcome: 'ok' },
    ])
    expect(session.info.why).toContain('cuda')
    await expect(load(bytes, { device: 'cuda' })).rejects.toMatchObject({
      code: 'DEVICE_UNAVAILABLE',
      data: { attempts: [{ device: 'cuda' }] },
    })
  })

  it('passes threads and further options on', async () => {
    await using session = await load(bytes, {
      threads: 1,
      sessionOptions: { graphOptimizationLevel: 'disabled' },
    })
    expect(session.info.threads).toEqual({ requested: 1, actual: 1, reason: 'as asked' })
    await expect(load(bytes, { sessionOptions: { graphOptimizationLevel: 'wild' } })).rejects.toThrow('wild')
  })

  it('an abort ends a download, closes its connection, and rejects with the reason', async () => {
    const closed = new Promise<void>((resolve) => {
      answers['/endless'] = (response) => {
        response.on('close', resolve)
        response.writeHead(200, { 'content-length': 10 * bytes.length })
        response.write(bytes)
      }
    })
    const abort = new AbortController()
    const reason = new Error('mine')
    const loading = load(`${url}/endless`, { signal: abort.signal, onProgress: () => abort.abort(reason) })
    await expect(loading).rejects.toBe(reason)
    await closed
    await expect(load(bytes, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('telemetry', { timeout: 30_000 }, () => {
  it('records one span for the load and one per run, with stages, warmth and outcome', async () => {
    const spans: Span[] = []
    const t = telemetry({ service: 'test' })
    const recorder = { child: t.child, record: (span: Span) => void spans.push(span) }
    const session = await load(twoOutputs().bytes, { name: 'two', telemetry: recorder })
    const x = tensor('float32', [1, 2])
    await t.trace('parent', async (trace) => {
      await session.run({ x }, { trace })
      await session.run({ x })
      await session.run({ secret: x } as never).catch(() => {})
      await session.run({ x }, { signal: AbortSignal.abort() }).catch(() => {})
      expect(spans[1]?.context).toMatchObject({ traceId: trace.traceId, parentSpanId: trace.spanId })
    })
    await session.dispose()
    expect(spans.map(({ name, outcome, warm }) => [name, outcome, warm])).toEqual([
      ['load', 'ok', undefined],
      ['infer', 'ok', false],
      ['infer', 'ok', true],
      ['infer', 'INVALID_INPUT', true],
      ['infer', 'cancelled', true],
    ])
    const [, run] = spans
    expect(run).toMatchObject({
      model: 'two',
      device: 'cpu',
      place: 'local',
      inputBytes: 8,
      outputBytes: 16,
      why: 'auto',
    })
    const sum = Object.values(run?.stages ?? {}).reduce<number>((total, value) => total + (value ?? 0), 0)
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThanOrEqual((run?.durationMs ?? 0) + 0.001)
    expect(JSON.stringify(spans)).not.toContain('secret')
    await t.shutdown()
  })

  it('goes to the recorder of the trace when the session has none', async () => {
    const names: string[] = []
    const t = telemetry({ service: 'test' })
    const recorder = { child: t.child, record: (span: Span) => void names.push(span.name) }
    await using session = await load(identity('float32').bytes)
    await session.run({ x: tensor('float32', [1]) }, { trace: { ...t.child(), recorder } })
    expect(names).toEqual(['infer'])
    await t.shutdown()
  })

  it('records a failed load with its code', async () => {
    const outcomes: string[] = []
    const t = telemetry({ service: 'test' })
    const recorder = {
      child: t.child,
      record: (span: Span) => void outcomes.push(`${span.name} ${span.outcome}`),
    }
    await load(join(folder, 'none.onnx'), { telemetry: recorder }).catch(() => {})
    expect(outcomes).toEqual(['load MODEL_NOT_FOUND'])
    await t.shutdown()
  })
})
