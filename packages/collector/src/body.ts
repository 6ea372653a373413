import type { Clock } from './clock.js'
import { CollectorError } from './error.js'
import type { Limits } from './limits.js'
import type { Ticket } from './queue.js'

export interface BodyOptions {
  readonly limits: Limits
  readonly clock: Clock
  /** Pays for the bytes held in memory. */
  readonly ticket: Ticket
}

/**
 * The text of a request, inflated when it is gzip. Reads no more than the limit, whatever the headers say.
 * @throws CollectorError UNSUPPORTED_MEDIA, TOO_LARGE, TIMEOUT, OVERLOADED, INVALID_BATCH
 */
export async function readBody(request: Request, options: BodyOptions): Promise<string> {
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase()
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new CollectorError('UNSUPPORTED_MEDIA', 'unknown content-encoding: send gzip or none', {
      path: 'content-encoding',
    })
  }
  const { batchBytes } = options.limits
  if (Number(request.headers.get('content-length') ?? 0) > batchBytes) throw tooLarge(batchBytes)
  if (request.body === null) return ''
  const raw = await readAll(arriving(request.body, options), options)
  const bytes = encoding === 'gzip' ? await readAll(inflating(raw), options) : raw
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CollectorError('INVALID_BATCH', 'the body is not UTF-8: send JSON text', { cause })
  }
}

type Bytes = Uint8Array<ArrayBuffer>

async function readAll(chunks: AsyncIterable<Bytes>, { limits, ticket }: BodyOptions): Promise<Bytes> {
  const parts: Bytes[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > limits.batchBytes) throw tooLarge(limits.batchBytes)
    ticket.take(chunk.byteLength)
    parts.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

async function* arriving(body: ReadableStream<Bytes>, { clock, limits }: BodyOptions): AsyncGenerator<Bytes> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), limits.bodyIdleMs, clock)
      if (done) return
      yield value
    }
  } finally {
    // Ends the upload when we leave early; after the last chunk it does nothing.
    reader.cancel().catch(() => undefined)
  }
}

async function* inflating(raw: Bytes): AsyncGenerator<Bytes> {
  const reader = new Blob([raw]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } catch (cause) {
    throw new CollectorError(
      'INVALID_BATCH',
      'the body is not whole gzip: compress it again, or send it plain',
      {
        cause,
      },
    )
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function within<T>(promise: Promise<T>, delayMs: number, clock: Clock): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.after(delayMs, () =>
      reject(new CollectorError('TIMEOUT', `no byte of the body arrived for ${delayMs} ms: send it again`)),
    )
    promise.then(resolve, reject).finally(cancel)
  })
}

function tooLarge(limit: number): CollectorError {
  return new CollectorError('TOO_LARGE', `a batch may have ${limit} bytes, inflated: split it`)
}
