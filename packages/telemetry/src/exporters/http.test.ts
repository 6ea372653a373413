import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Batch } from '../batch.js'
import { decodeSpans } from '../decode.js'
import { sampleBatch } from '../testing/batch.js'
import { type ManualClock, manualClock } from '../testing/clock.js'
import { testExporter } from '../testing/exporter.js'
import { type HttpOptions, httpExporter } from './http.js'

type Answer = (request: IncomingMessage, response: ServerResponse, batch: Batch) => void

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A real collector's socket, answering by a script; the last answer is for all that follow. */
async function listen(...script: Answer[]) {
  const received: Batch[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const batch: Batch = JSON.parse(Buffer.concat(chunks).toString())
      received.push(batch)
      headers.push(request.headers)
      const answer = script.length > 1 ? script.shift() : script[0]
      ;(answer ?? accept)(request, response, batch)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  closing.push(close)
  return { url: `http://127.0.0.1:${port}/v1/batch`, received, headers, close }
}

const accept: Answer = (_, response, batch) => {
  response.end(JSON.stringify({ accepted: decodeSpans(batch).spans.length, rejected: 0 }))
}
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end('{"error":"scripted"}')
  }
const hangUp: Answer = (request) => request.socket.destroy()
const silence: Answer = () => {}

/** Waits, macrotask by macrotask, for real sockets. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

function exporter(url: string, options: Partial<HttpOptions> = {}) {
  const clock = manualClock()
  const warnings: string[] = []
  const made = httpExporter({
    url,
    clock,
    warn: (message) => warnings.push(message),
    random: () => {},
    ...options,
  })
  return { clock, warnings, exporter: made }
}

const timeoutMs = 10_000
/** Lets the exporter start what it has put off to the next macrotask. */
const go = (clock: ManualClock): void => clock.advance(0)
/** The wait before the next try, once it is asked for. */
async function backOff(clock: ManualClock): Promise<number> {
  const wait = (): number | undefined => clock.waiting().find((ms) => ms > 0 && ms !== timeoutMs)
  await until(() => wait() !== undefined)
  return wait() ?? 0
}

describe('against a real server', () => {
  for (const { name, run } of testExporter(async () => {
    const { url, received, close } = await listen(accept)
    let started = 0
    const counting: typeof fetch = (input, init) => {
      started++
      return fetch(input, init)
    }
    return {
      exporter: httpExporter({ url, fetch: counting }),
      received: () => received,
      started: () => started,
      close,
    }
  })) {
    test(name, run)
  }
})

describe('a batch is sent again', () => {
  test.each([429, 502, 503, 504])('after %i, when a second or so has passed', async (code) => {
    const { url, received } = await listen(status(code), accept)
    const { clock, exporter: http } = exporter(url)
    const settled = http.export(sampleBatch(3))
    go(clock)
    const wait = await backOff(clock)
    expect(wait).toBeGreaterThanOrEqual(500)
    expect(wait).toBeLessThanOrEqual(1000)
    expect(received.length).toBe(1)
    clock.advance(wait)
    expect(await settled).toEqual({ delivered: 3 })
    expect(received.map(({ seq }) => seq)).toEqual([0, 0])
  })

  test('after a connection that broke, and an answer that was lost has the same number again', async () => {
    const { url, received } = await listen(hangUp, accept)
    const { clock, exporter: http } = exporter(url)
    const settled = http.export(sampleBatch(3, 7))
    go(clock)
    clock.advance(await backOff(clock))
    expect(await settled).toEqual({ delivered: 3 })
    expect(received.map(({ instance, seq }) => [instance, seq])).toEqual([
      ['00f067aa0ba902b7', 7],
      ['00f067aa0ba902b7', 7],
    ])
  })

  test('after no answer within the time for one', async () => {
    const { url, received } = await listen(silence, accept)
    const { clock, warnings, exporter: http } = exporter(url)
    const settled = http.export(sampleBatch(3))
    go(clock)
    await until(() => received.length === 1)
    clock.advance(timeoutMs)
    clock.advance(await backOff(clock))
    expect(await settled).toEqual({ delivered: 3 })
    expect(warnings[0]).toContain('no answer in 10000 ms')
  })

  test.each([
    ['2', 2000],
    ['120', 120_000],
    ['100000', 300_000],
  ])('not before Retry-After: %s has passed, at most five minutes', async (header, ms) => {
    const { url } = await listen(status(503, { 'retry-after': header }), accept)
    const { clock, exporter: http } = exporter(url)
    const settled = http.export(sampleBatch(3))
    go(clock)
    expect(await backOff(clock)).toBe(ms)
    clock.advance(ms)
    expect(await settled).toEqual({ delivered: 3 })
  })

  test('not before the date in Retry-After', async () => {
    const { clock, ...rest } = exporter('http://127.0.0.1:9/unused')
    const date = new Date(clock.wall() + 90_000).toUTCString()
    const { url } = await listen(status(429, { 'retry-after': date }), accept)
    const http = httpExporter({
      url,
      clock,
      warn: (message) => rest.warnings.push(message),
      random: () => {},
    })
    const settled = http.export(sampleBatch(1))
    go(clock)
    const wait = await backOff(clock)
    expect(wait).toBeGreaterThan(89_000)
    expect(wait).toBeLessThanOrEqual(90_000)
    clock.advance(wait)
    expect(await settled).toEqual({ delivered: 1 })
  })

  test('with waits that double up to thirty seconds, until it is given up', async () => {
    const { url, received } = await listen(status(503))
    const { clock, exporter: http } = exporter(url)
    const settled = http.export(sampleBatch(3))
    go(clock)
    const waits: number[] = []
    for (let i = 0; i < 7; i++) {
      waits.push(await backOff(clock))
      clock.advance(waits[i] ?? 0)
    }
    expect(await settled).toEqual({ delivered: 0, reason: 'retries', untried: false })
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(received.length).toBe(8)
  })
})

describe('a batch is not sent again', () => {
  test.each([400, 401, 404, 413, 415, 500, 501])('after %i', async (code) => {
    const { url, received } = await listen(status(code), accept)
    const { clock, warnings, exporter: http } = exporter(url)
    const settled = http.export(sampleBatch(3))
    go(clock)
    expect(await settled).toEqual({ delivered: 0 })
    const next = http.export(sampleBatch(3, 1))
    go(clock)
    expect(await next).toEqual({ delivered: 3 })
    expect(received.map(({ seq }) => seq)).toEqual([0, 1])
    expect(warnings[0]).toContain(String(code))
  })

  test('for the spans that the collector found malformed', async () => {
    const { url } = await listen((_, response) => response.end('{"accepted":2,"rejected":1}'))
    const { clock, exporter: http } = exporter(url)
    const settled = http.export(sampleBatch(3))
    go(clock)
    expect(await settled).toEqual({ delivered: 2 })
  })

  test('when a page answers that is no collector', async () => {
    const { url } = await listen((_, response) => response.end('<html>log in</html>'))
    const { clock, warnings, exporter: http } = exporter(url)
    const settled = http.export(sampleBatch(3))
    go(clock)
    expect(await settled).toEqual({ delivered: 0 })
    expect(warnings[0]).toContain('not like a collector')
  })
})

describe('the queue', () => {
  test('is bounded in bytes: the oldest give way, those never tried say so, and the newest arrive', async () => {
    const { url, received } = await listen(status(503), accept)
    const bytes = JSON.stringify(sampleBatch(3)).length
    const { clock, exporter: http } = exporter(url, { maxQueueBytes: bytes * 3.5 })
    const first = http.export(sampleBatch(3, 0))
    go(clock)
    const wait = await backOff(clock)
    const rest = [1, 2, 3, 4, 5].map((seq) => http.export(sampleBatch(3, seq)))
    expect(await first).toEqual({ delivered: 0, reason: 'queue_full', untried: false })
    expect(await rest[0]).toEqual({ delivered: 0, reason: 'queue_full', untried: true })
    expect(await rest[1]).toEqual({ delivered: 0, reason: 'queue_full', untried: true })
    clock.advance(wait)
    for (const settled of rest.slice(2)) expect(await settled).toEqual({ delivered: 3 })
    expect(received.map(({ seq }) => seq)).toEqual([0, 3, 4, 5])
  })

  test('has one request underway at a time', async () => {
    let underway = 0
    let most = 0
    const { url } = await listen((request, response, batch) => {
      most = Math.max(most, ++underway)
      setImmediate(() => {
        underway--
        accept(request, response, batch)
      })
    })
    const { clock, exporter: http } = exporter(url)
    const all = Promise.all([0, 1, 2, 3].map((seq) => http.export(sampleBatch(2, seq))))
    go(clock)
    await all
    expect(most).toBe(1)
  })
})

describe('a collector that is away', () => {
  test('is warned about once a minute, and rejects nothing that nobody handles', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { url, close } = await listen(accept)
    await close()
    const { clock, warnings, exporter: http } = exporter(url, { maxAttempts: 1 })
    for (let seq = 0; seq < 20; seq++) {
      const settled = http.export(sampleBatch(1, seq))
      go(clock)
      if (seq > 0) clock.advance(await backOff(clock))
      expect((await settled).reason).toBe('retries')
    }
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
    const minutes = Math.ceil((clock.now() - 1000) / 60_000)
    expect(warnings.length).toBeGreaterThan(0)
    expect(warnings.length).toBeLessThanOrEqual(minutes)
    expect(warnings[0]).toContain('cannot be reached')
  })

  test('does not hold up shutdown beyond its deadline', async () => {
    const { url, received } = await listen(silence)
    const { clock, exporter: http } = exporter(url)
    const settled = Promise.all([0, 1, 2].map((seq) => http.export(sampleBatch(2, seq))))
    go(clock)
    await until(() => received.length === 1)
    const deadline = new AbortController()
    const ended = http.shutdown(deadline.signal)
    deadline.abort()
    await ended
    for (const delivery of await settled) expect(delivery).toMatchObject({ delivered: 0, reason: 'shutdown' })
  })

  test('gets one more try, without the wait, at shutdown', async () => {
    const { url, received } = await listen(status(503), accept)
    const { clock, exporter: http } = exporter(url)
    const settled = http.export(sampleBatch(3))
    go(clock)
    await backOff(clock)
    await http.shutdown(new AbortController().signal)
    expect(await settled).toEqual({ delivered: 3 })
    expect(received.length).toBe(2)
  })
})
