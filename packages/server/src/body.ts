import { Refusal } from './refusal.js'

export interface BodyLimits {
  /** Bytes of a body, as sent and as inflated. */
  readonly maxBytes: number
  /** Milliseconds without a further byte after which a body is given up. */
  readonly stallMs: number
}

/**
 * Reads a request's body into memory of its own, inflating gzip and deflate. Limits hold while it arrives: nothing is read that
 * is too large, and nobody keeps us waiting.
 * @throws Refusal 413, 415, 408, 400; what the stream itself fails with
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase()
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limits.maxBytes) throw tooLarge(declared, limits)
  if (request.body === null) return new Uint8Array()
  if (encoding === 'identity' || encoding === '') return collect(request.body, limits)
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    throw new Refusal(
      415,
      'UNSUPPORTED_ENCODING',
      `content-encoding '${encoding}' is not one of gzip, deflate, identity`,
      {
        'accept-encoding': 'gzip, deflate',
      },
    )
  }
  try {
    return await collect(request.body.pipeThrough(new DecompressionStream(encoding)), limits)
  } catch (error) {
    if (error instanceof Refusal || request.signal.aborted) throw error
    throw new Refusal(400, 'INVALID_INPUT', `the body is not whole ${encoding} data`)
  }
}

async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limits: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (true) {
      const { done, value } = await inTime(reader.read(), limits.stallMs)
      if (done) break
      size += value.byteLength
      if (size > limits.maxBytes) throw tooLarge(size, limits)
      chunks.push(value)
    }
  } catch (error) {
    // Not awaited: a stalled stream may take its time.
    reader.cancel(error).catch(() => {})
    throw error
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}

function inTime<T>(work: Promise<T>, stallMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(stalled(stallMs)), stallMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function stalled(stallMs: number): Refusal {
  return new Refusal(408, 'BODY_STALLED', `no more of the body came for ${stallMs} ms`, {
    connection: 'close',
  })
}

function tooLarge(size: number, { maxBytes }: BodyLimits): Refusal {
  const message = `request size of ${size} bytes exceeds the maximum allowed input size of ${maxBytes} bytes`
  return new Refusal(413, 'TOO_LARGE', message, { connection: 'close' })
}
