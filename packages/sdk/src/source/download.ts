import { InferenceError } from '../error.js'
import { sniff, sniffBytes } from './sniff.js'

/** Bytes so far. `total` is null while unknown. Never goes down, and ends with `loaded === total` once. */
export interface Progress {
  readonly loaded: number
  readonly total: number | null
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/**
 * Downloads a model, streamed. An abort ends the download and rejects with the signal's reason.
 *
 * @throws InferenceError MODEL_NOT_FOUND (no such file, or the server can't be reached), INTEGRITY (broke off), NOT_A_MODEL
 */
export async function download(url: string, options: DownloadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { signal, onProgress } = options
  const response = await fetch(url, signal === undefined ? {} : { signal }).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new InferenceError(
      'MODEL_NOT_FOUND',
      `${url} could not be fetched; check that the server runs, and allows this origin (CORS).`,
      { cause, data: { url } },
    )
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new InferenceError(
      'MODEL_NOT_FOUND',
      `${url} answered ${response.status} ${response.statusText}`.trimEnd() +
        '; check the URL and who may read it.',
      { data: { url, status: response.status } },
    )
  }
  const bytes = await receive(response, url, options)
  onProgress?.({ loaded: bytes.length, total: bytes.length })
  return bytes
}

async function receive(
  response: Response,
  url: string,
  options: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { signal, onProgress } = options
  const total = lengthOf(response)
  // One buffer of the announced size: touching the same memory twice is what costs.
  let bytes = new Uint8Array(total ?? 2 ** 20)
  let loaded = 0
  let sniffed = false
  const reader = (response.body ?? new Blob().stream()).getReader()
  const broken = (cause?: unknown): InferenceError =>
    new InferenceError(
      'INTEGRITY',
      `${url} broke off after ${loaded} of ${total ?? 'an unknown number of'} bytes; load it again.`,
      { cause, data: { url, loaded, total } },
    )
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        signal?.throwIfAborted()
        throw broken(cause)
      })
      if (done) break
      if (loaded + value.length > bytes.length) bytes = grown(bytes, loaded + value.length)
      bytes.set(value, loaded)
      loaded += value.length
      if (!sniffed && loaded >= sniffBytes) {
        sniffed = true
        sniff(bytes.subarray(0, loaded), url)
      }
      if (total === null || loaded < total)
        onProgress?.({ loaded, total: total !== null && loaded < total ? total : null })
    }
  } catch (error) {
    await reader.cancel(error).catch(() => {})
    throw error
  }
  if (!sniffed) sniff(bytes.subarray(0, loaded), url)
  // More than announced: it was compressed on the way, and a cross-origin answer does not show that.
  if (total !== null && loaded < total) throw broken()
  return loaded === bytes.length ? bytes : bytes.slice(0, loaded)
}

function lengthOf(response: Response): number | null {
  const encoding = response.headers.get('content-encoding') ?? 'identity'
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  // A server that says more has made it up, or it would not fit into memory anyhow.
  return encoding === 'identity' && length >= 0 && length < 2 ** 32 ? length : null
}

function grown(bytes: Uint8Array<ArrayBuffer>, atLeast: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(atLeast, 2 * bytes.length))
  larger.set(bytes)
  return larger
}
