import { describe, expect, test } from 'vitest'
import type { Batch } from '../batch.js'
import { sampleBatch } from '../testing/batch.js'
import { manualClock } from '../testing/clock.js'
import { httpExporter } from './http.js'

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('at the page’s end', () => {
  /** Counts the bytes underway in requests that outlive the page, as a browser does; answers when told. */
  function browser() {
    const sent: { batch: Batch; bytes: number; keepalive: boolean; type: string | null }[] = []
    const answers: (() => void)[] = []
    const send: typeof fetch = (_, init) => {
      const body = init?.body as Uint8Array
      const type = new Headers(init?.headers).get('content-type')
      sent.push({
        batch: JSON.parse(new TextDecoder().decode(body)),
        bytes: body.length,
        keepalive: init?.keepalive === true,
        type,
      })
      return new Promise((resolve) =>
        answers.push(() => resolve(new Response('{"accepted":0,"rejected":0}'))),
      )
    }
    const answerAll = (): void => {
      for (const answer of answers.splice(0)) answer()
    }
    return { send, sent, answerAll }
  }

  function exporter(send: typeof fetch) {
    const clock = manualClock()
    const url = 'http://collector.test/v1/batch'
    return { clock, http: httpExporter({ url, clock, fetch: send, warn: () => {} }) }
  }

  test('figures go first, then spans, within 60 KiB underway, without a preflight', async () => {
    const { send, sent } = browser()
    const { http } = exporter(send)
    for (let seq = 0; seq < 10; seq++) void http.export(sampleBatch(100, seq))
    void http.export(sampleBatch(0, 10))
    http.exit?.()
    expect(sent[0]?.batch.spans.n).toBe(0)
    expect(sent.every(({ keepalive, type }) => keepalive && type === 'text/plain')).toBe(true)
    const bytes = sent.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(bytes).toBeLessThanOrEqual(60 * 1024)
    expect(bytes).toBeGreaterThan(45 * 1024)
  })

  test('leaving twice does not send twice, and what did not fit goes when the page lives on', async () => {
    const { send, sent, answerAll } = browser()
    const { clock, http } = exporter(send)
    const settled = Array.from({ length: 10 }, (_, seq) => http.export(sampleBatch(100, seq)))
    http.exit?.()
    const atExit = sent.length
    http.exit?.()
    expect(sent.length).toBe(atExit)
    for (let i = 0; i < 10; i++) {
      answerAll()
      clock.advance(0)
      await macrotask()
    }
    answerAll()
    await Promise.all(settled)
    expect(sent.map(({ batch }) => batch.seq).sort((a, b) => a - b)).toEqual([...Array(10).keys()])
  })

  test('a browser that refuses loses nothing: the batch waits for its next turn', async () => {
    const { send, sent, answerAll } = browser()
    let leaving = true
    const { clock, http } = exporter((input, init) =>
      leaving ? Promise.reject(new TypeError('refused')) : send(input, init),
    )
    const settled = http.export(sampleBatch(3))
    http.exit?.()
    leaving = false
    await macrotask()
    clock.advance(0)
    expect(sent.map(({ type }) => type)).toEqual(['application/json'])
    answerAll()
    expect(await settled).toEqual({ delivered: 3 })
  })
})
