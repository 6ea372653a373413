import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Collecting, collect } from './collect.node.js'
import { collector } from './collector.node.js'
import type { Summary } from './series.js'
import { manualClock, sampleBatch } from './testing.js'

let dir: string
const running: Collecting[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tandem-collect-'))
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
  await rm(dir, { recursive: true, force: true })
})

async function start(options: Partial<Parameters<typeof collect>[0]> = {}): Promise<Collecting> {
  const one = await collect({ dir, port: 0, ...options })
  running.push(one)
  return one
}

async function post(url: string, batch: object): Promise<number> {
  const response = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(batch),
  })
  return response.status
}

async function get<T>(url: string): Promise<T> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return response.json()
}

/** Writes to a socket and hears everything until the other side ends it. */
function talk(url: string, text: string): { heard: Promise<string>; end(): void } {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(text)
  const heard = new Promise<string>((resolve) => {
    let all = ''
    socket.on('data', (bytes) => {
      all += bytes.toString('latin1')
    })
    socket.on('error', () => resolve(all))
    socket.on('close', () => resolve(all))
  })
  return { heard, end: () => socket.destroy() }
}

// Real sockets and a real disk, maybe on a busy machine: generous, since nothing here is timed.
describe('collect', { timeout: 60_000 }, () => {
  it('takes 50 concurrent posters and has every value after a restart', async () => {
    const { url, close } = await start()
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, poster) => {
        const instance = poster.toString(16).padStart(16, '0')
        const mine: number[] = []
        for (let seq = 0; seq < 6; seq++) {
          const times = { total: [poster + 1, seq + 1] }
          mine.push(
            await post(url, sampleBatch({ instance, seq, model: 'blazeface', device: 'wasm', times })),
          )
        }
        return mine
      }),
    )
    expect(new Set(statuses.flat())).toEqual(new Set([200]))
    const before = await get<Summary>(`${url}/v1/summary?model=blazeface&stage=total`)
    expect(before.rows).toMatchObject([{ count: 600, min: 1, max: 50 }])
    await close()

    const again = await start()
    expect(await get<Summary>(`${again.url}/v1/summary?model=blazeface&stage=total`)).toEqual(before)
    expect(await post(again.url, sampleBatch({ instance: '0'.repeat(16), seq: 5 }))).toBe(200)
    expect(await get(`${again.url}/healthz`)).toMatchObject({
      batches: 300,
      repeated: 1,
      replayed: { entries: 300 },
    })
  })

  it('joins what a page and a server posted in one trace', async () => {
    const { url } = await start()
    const traceId = '5'.repeat(32)
    const [root, infer, serve] = ['1', '2', '3'].map((digit) => digit.repeat(16)) as [string, string, string]
    const server = { service: 'server', instance: '00000000000000b2', wallMs: 1_700_000_999_000 }
    await post(
      url,
      sampleBatch({ ...server, spans: [{ traceId, spanId: serve, parentSpanId: infer, durationMs: 4 }] }),
    )
    const page = [
      { traceId, spanId: root, name: 'detect', durationMs: 20 },
      {
        traceId,
        spanId: infer,
        parentSpanId: root,
        startMs: 5,
        durationMs: 10,
        stages: { network: 6, inference: 3 },
      },
    ]
    await post(url, sampleBatch({ spans: page }))
    expect(await get(`${url}/v1/traces/${traceId}`)).toMatchObject({
      durationMs: 20,
      services: ['shop-web', 'server'],
      spans: [
        { spanId: root, depth: 0 },
        { spanId: infer, depth: 1, stages: { network: 6, inference: 3 }, unattributedMs: 1 },
        { spanId: serve, depth: 2, startMs: 8 },
      ],
    })
    expect(await get(`${url}/v1/traces?limit=1`)).toMatchObject({
      traces: [{ traceId, name: 'detect', spans: 3 }],
    })
  })

  it('cuts off a client whose body stops, and goes on serving others', async () => {
    const clock = manualClock()
    const { url } = await start({ clock, limits: { bodyIdleMs: 1000 } })
    const head =
      'POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 500\r\n\r\n{"v":'
    const { heard } = talk(url, head)
    await vi.waitFor(() => expect(clock.waiting()).toBe(1))
    expect(await post(url, sampleBatch())).toBe(200)
    await vi.waitFor(() => expect(clock.waiting()).toBe(1))
    clock.advance(1001)
    expect(await heard).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('answers 413 and ends an upload that never ends', async () => {
    const { url } = await start({ limits: { batchBytes: 1000 } })
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`
    const head =
      'POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n'
    const { heard } = talk(url, head + chunk.repeat(8))
    expect(await heard).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('closes with open but idle connections, and answers what has begun first', async () => {
    const { url, close } = await start()
    await get(`${url}/healthz`)
    const posts = Array.from({ length: 20 }, (_, seq) =>
      post(url, sampleBatch({ seq, times: { total: [1] } })),
    )
    await Promise.any(posts)
    const closed = close()
    const answered = (await Promise.allSettled(posts)).filter(
      (one) => one.status === 'fulfilled' && one.value === 200,
    )
    await closed
    const { fetch } = await collector({ dir })
    const { rows } = await (await fetch(new Request('http://x/v1/summary'))).json()
    expect(rows[0].count).toBeGreaterThanOrEqual(answered.length)
  })

  it('names a busy port in one line, and lets go of the folder', async () => {
    const { url } = await start()
    const port = Number(new URL(url).port)
    const error = await collect({ dir, port }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'CollectorError', code: 'PORT_IN_USE' })
    expect(String(error)).toMatch(new RegExp(`^[^\\n]*${port}[^\\n]*$`))
  })
})
