import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readBody } from './body.js'
import { Refusal } from './refusal.js'

const limits = { maxBytes: 1000, stallMs: 30_000 }

type Source = ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>

const request = (body: Source, headers: Record<string, string> = {}): Request => {
  const duplex = { duplex: 'half' } as const
  return new Request('http://host/', { method: 'POST', body, headers, ...duplex })
}

async function refusal(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}

/** Chunks as they are pulled; then it closes, or says nothing more. */
function stream(
  chunks: Iterable<Uint8Array<ArrayBuffer>>,
  isOpen = false,
): Source & { readonly pulled: () => number } {
  const iterator = chunks[Symbol.iterator]()
  let pulled = 0
  const readable = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = iterator.next()
      if (!next.done) {
        pulled++
        controller.enqueue(next.value)
      } else if (!isOpen) controller.close()
      else return new Promise(() => {})
    },
  })
  return Object.assign(readable, { pulled: () => pulled })
}

it('reads exactly as much as allowed, in memory of its own', async () => {
  const sent = Uint8Array.from({ length: 1000 }, (_, index) => index)
  const body = await readBody(request(stream([sent.slice(0, 999), sent.slice(999)])), limits)
  expect(body).toEqual(sent)
  expect(body.byteOffset).toBe(0)
  expect((await refusal(readBody(request(stream([sent, new Uint8Array(1)])), limits))).status).toBe(413)
})

it('refuses a declared length before it reads, and an endless body when it is too long', async () => {
  const declared = await refusal(readBody(request(new Uint8Array(3), { 'content-length': '1001' }), limits))
  expect([declared.status, declared.headers.connection]).toEqual([413, 'close'])
  function* endless(): Generator<Uint8Array<ArrayBuffer>> {
    while (true) yield new Uint8Array(100)
  }
  const source = stream(endless())
  expect((await refusal(readBody(request(source), limits))).status).toBe(413)
  expect(source.pulled()).toBeLessThan(20)
})

it('gives up a body that stops arriving', async () => {
  const stalled = await refusal(
    readBody(request(stream([new Uint8Array(3)], true)), { ...limits, stallMs: 20 }),
  )
  expect([stalled.status, stalled.code]).toEqual([408, 'BODY_STALLED'])
})

it('inflates, within the limit', async () => {
  const sent = new Uint8Array(1000).fill(7)
  const gzip = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(bytes))
  expect(await readBody(request(gzip(sent), { 'content-encoding': 'GZIP' }), limits)).toEqual(sent)
  const bomb = gzip(new Uint8Array(50_000_000))
  const refused = await refusal(
    readBody(request(bomb, { 'content-encoding': 'gzip' }), { ...limits, maxBytes: 60_000 }),
  )
  expect([refused.status, refused.message]).toEqual([413, expect.stringContaining('60000 bytes')])
})

it.each([
  ['gzip', new Uint8Array([1, 2, 3]), 400],
  ['gzip', new Uint8Array(gzipSync('hello')).slice(0, 12), 400],
  ['br', new Uint8Array(3), 415],
])('refuses %s of what is not that', async (encoding, body, status) => {
  const refused = await refusal(readBody(request(body, { 'content-encoding': encoding }), limits))
  expect(refused.status).toBe(status)
  if (status === 415) expect(refused.headers['accept-encoding']).toBe('gzip, deflate')
})
