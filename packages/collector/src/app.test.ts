import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import type { Journal } from './journal.js'
import type { Limits } from './limits.js'
import { manualClock, memoryCollector, memoryJournal, sampleBatch } from './testing.js'

const traceId = 'ab'.repeat(16)
const spanId = 'cd'.repeat(8)
const good = sampleBatch({ times: { total: [10], inference: [8] }, spans: [{ traceId, spanId }] })

interface Sent {
  readonly body?: BodyInit
  readonly method?: string
  readonly headers?: Record<string, string>
}

function request(
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST', headers = {} }: Sent = {},
) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const init = { method, headers: { ...type, ...headers }, body: body ?? null, duplex: 'half' }
  return new Request(`http://collector${path}`, init)
}

const post = (body: BodyInit, headers: Record<string, string> = {}) => request('/v1/batch', { body, headers })
const changed = (change: object) => JSON.stringify({ ...good, ...change })
const spans = (change: object) => changed({ spans: { ...good.spans, ...change } })

async function errorOf(response: Response) {
  const { error } = await response.json()
  return error
}

describe('POST /v1/batch', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'TEXT/PLAIN;charset=UTF-8'])(
    'takes %s, plain and gzip, and answers the same for a repeated batch without counting it twice',
    async (type) => {
      const { fetch, state } = memoryCollector()
      const text = JSON.stringify(good, null, 2)
      for (const response of [
        await fetch(post(text, { 'content-type': type })),
        await fetch(post(gzipSync(text), { 'content-type': type, 'content-encoding': 'gzip' })),
      ]) {
        expect(response.status).toBe(200)
        expect(await response.json()).toEqual({ accepted: 1, rejected: 0 })
      }
      expect(state.counts()).toMatchObject({ batches: 1, repeated: 1, spans: 1 })
    },
  )

  it.each([
    ['empty', '', undefined, /post one batch/],
    ['not JSON', '{"v":1', undefined, /not JSON/],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), undefined, /not UTF-8/],
    ['an array', '[]', undefined, /not a JSON object/],
    ['null', 'null', undefined, /not a JSON object/],
    ['deeply nested', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, undefined, /not a JSON object/],
    ['another version', changed({ v: 2 }), 'v', /takes 1/],
    ['no service', changed({ service: '' }), 'service', /non-empty/],
    ['a service of 2 kB', changed({ service: 'x'.repeat(2048) }), 'service', /string/],
    ['a short instance', changed({ instance: 'abc' }), 'instance', /16/],
    ['a negative seq', changed({ seq: -1 }), 'seq', /whole number/],
    ['no anchor', changed({ anchor: {} }), 'anchor', /wallMs/],
    [
      'a ledger of text',
      changed({ ledger: { ...good.ledger, recorded: '5' } }),
      'ledger.recorded',
      /whole number/,
    ],
    ['a dict of numbers', changed({ dict: [1] }), 'dict', /strings/],
    [
      'an unknown series',
      changed({ sketches: [{ ...good.sketches[0], series: '__proto__' }] }),
      'sketches[0].series',
      /is/,
    ],
    [
      'a label out of the dict',
      changed({ sketches: [{ ...good.sketches[0], model: 99 }] }),
      'sketches[0].model',
      /index/,
    ],
    ['a column that is too short', spans({ start: [] }), 'spans.start', /1 number/],
    ['ids that are too short', spans({ trace: 'ab' }), 'spans.trace', /digits/],
  ])('answers 400 with the path and the fix for %s', async (_, body, path, message) => {
    const { fetch, state } = memoryCollector()
    const response = await fetch(post(body))
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toEqual({
      code: 'INVALID_BATCH',
      message: expect.stringMatching(message),
      ...(path === undefined ? {} : { path }),
    })
    expect(state.counts()).toMatchObject({ batches: 0, spans: 0 })
  })

  it.each([
    ['an id of zeros', { span: ['0'.repeat(16), spanId].join('') }],
    ['an id that is not hex', { trace: ['z'.repeat(32), traceId].join('') }],
    ['a negative duration', { duration: [-5, 5] }],
    ['a duration that was NaN', { duration: [null, 5] }],
    ['a start that was infinite', { start: [null, 5] }],
    ['a name out of the dict', { name: [77, 0] }],
  ])('rejects a span with %s alone', async (_, change) => {
    const { fetch, state } = memoryCollector()
    const two = sampleBatch({
      spans: [
        { traceId, spanId: '11'.repeat(8) },
        { traceId, spanId },
      ],
    })
    const response = await fetch(post(JSON.stringify({ ...two, spans: { ...two.spans, ...change } })))
    expect(await response.json()).toEqual({ accepted: 1, rejected: 1 })
    expect(state.ledgers.answer(1).instances).toMatchObject([{ accepted: 1, rejected: 1 }])
  })

  it('answers 413 for what is too large: as declared, as streamed, and as inflated', async () => {
    const { fetch } = memoryCollector({ limits: { batchBytes: 2000 } })
    const chunk = new Uint8Array(900).fill(32)
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(chunk)
      },
    })
    for (const sent of [
      post('{}', { 'content-length': '2001' }),
      post(endless),
      post(gzipSync(new Uint8Array(50_000_000)).subarray(0, 1900), { 'content-encoding': 'gzip' }),
    ]) {
      const response = await fetch(sent)
      expect(response.status).toBe(413)
      expect(await errorOf(response)).toMatchObject({
        code: 'TOO_LARGE',
        message: expect.stringContaining('2000'),
      })
    }
    expect(pulled).toBeLessThan(6)
  })

  it.each([
    ['cut off', gzipSync('{"v":1}').subarray(0, 12)],
    ['no gzip', Buffer.from('{"v":1}')],
    ['harmed', gzipSync('{"v":1}').fill(7, 12, 14)],
  ])('answers 400 for gzip that is %s', async (_, body) => {
    const response = await memoryCollector().fetch(post(new Uint8Array(body), { 'content-encoding': 'gzip' }))
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ message: expect.stringContaining('gzip') })
  })

  it('answers 415 for another type or coding', async () => {
    const { fetch } = memoryCollector()
    expect((await fetch(post('x', { 'content-type': 'application/x-protobuf' }))).status).toBe(415)
    expect((await fetch(post('x', { 'content-encoding': 'br' }))).status).toBe(415)
  })

  it('cuts off a body that stops arriving, and not one that is only slow', async () => {
    const clock = manualClock()
    const { fetch, state } = memoryCollector({ clock, limits: { bodyIdleMs: 1000 } })
    const bytes = new TextEncoder().encode(JSON.stringify(good))
    let send: (chunk: Uint8Array) => void = () => {}
    let ended = false
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (chunk) => controller.enqueue(chunk)
      },
      cancel() {
        ended = true
      },
    })
    const answer = fetch(post(body))
    for (const at of [0, 10, 20]) {
      await vi.waitFor(() => expect(clock.waiting()).toBe(1))
      clock.advance(900)
      send(bytes.subarray(at, at + 10))
      await vi.waitFor(() => expect(body.locked).toBe(true))
      await new Promise(setImmediate)
    }
    await vi.waitFor(() => expect(clock.waiting()).toBe(1))
    clock.advance(1000)
    expect((await answer).status).toBe(408)
    expect(ended).toBe(true)
    expect(state.counts()).toMatchObject({ batches: 0 })
  })

  it('answers 429 with Retry-After while the disk is behind, and takes all of it afterwards', async () => {
    const waiting: (() => void)[] = []
    const slow: Journal = {
      ...memoryJournal(),
      append: () => new Promise((resolve) => waiting.push(resolve)),
    }
    const size = JSON.stringify(good).length
    const { fetch, state } = memoryCollector({ journal: slow, limits: { queueBytes: size * 3 + 10 } })
    const send = (seq: number) => fetch(post(changed({ seq })))
    const first = [0, 1, 2].map(send)
    await vi.waitFor(() => expect(waiting).toHaveLength(3))
    const refused = await send(3)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await errorOf(refused)).toMatchObject({ code: 'OVERLOADED' })
    expect(state.counts()).toMatchObject({ batches: 0 })
    for (const resolve of waiting.splice(0)) resolve()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200])
    const again = send(3)
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    waiting[0]?.()
    expect((await again).status).toBe(200)
    expect(state.counts()).toMatchObject({ batches: 4 })
  })

  it('counts a batch once that is posted twice at the same time', async () => {
    const { fetch, state } = memoryCollector()
    const text = JSON.stringify(good)
    const answers = await Promise.all([fetch(post(text)), fetch(post(text))])
    for (const answer of answers) expect(await answer.json()).toEqual({ accepted: 1, rejected: 0 })
    expect(state.series.summary(noFilter).rows[0]?.count).toBe(1)
  })
})

const noFilter = { service: [], name: [], model: [], device: [], place: [], stage: [], sinceMs: undefined }

describe('every answer', () => {
  const failing: Journal = { ...memoryJournal(), append: () => Promise.reject(new Error('/secret/path')) }
  const limits: Partial<Limits> = { batchBytes: 5000 }
  it.each([
    ['GET', '/v1/summary', 200],
    ['GET', '/v1/summary?sorted=1', 400],
    ['GET', '/v1/summary?since=yesterday', 400],
    ['GET', '/v1/timeseries?since=15m&stage=inference', 200],
    ['GET', '/v1/traces?limit=0', 400],
    ['GET', '/v1/traces?limit=1e2', 400],
    ['GET', '/v1/traces', 200],
    ['GET', `/v1/traces/${traceId}`, 404],
    ['GET', '/v1/ledger', 200],
    ['GET', '/healthz', 200],
    ['HEAD', '/healthz', 200],
    ['GET', '/v1/batch', 405],
    ['DELETE', '/v1/summary', 405],
    ['OPTIONS', '/v1/batch', 204],
    ['GET', '/nowhere', 404],
    ['POST', '/v1/batch', 500],
  ])(
    'carries safety headers, and CORS only where a page elsewhere has business: %s %s → %d',
    async (method, path, status) => {
      const { fetch } = memoryCollector({ journal: failing, limits })
      const response = await fetch(
        request(path, method === 'POST' ? { body: JSON.stringify(good) } : { method }),
      )
      expect(response.status).toBe(status)
      const isOpen = path === '/v1/batch' || path === '/healthz'
      expect(response.headers.get('access-control-allow-origin')).toBe(isOpen ? '*' : null)
      expect(response.headers.get('cross-origin-resource-policy')).toBe(
        isOpen ? 'cross-origin' : 'same-origin',
      )
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      const text = await response.text()
      expect(text).not.toContain('/secret')
      if (status >= 400)
        expect(JSON.parse(text).error).toMatchObject({
          code: expect.any(String),
          message: expect.any(String),
        })
      if (status === 405) expect(response.headers.get('allow')).toContain('OPTIONS')
      if (method === 'OPTIONS')
        expect(response.headers.get('access-control-allow-headers')).toContain('content-encoding')
    },
  )
})
