import { InferenceError } from '../error.js'
import { type DownloadOptions, download } from './download.js'
import { sniff, sniffBytes } from './sniff.js'

/** What `load` takes: a URL, in Node also a path, or the model's bytes. */
export type ModelSource = string | URL | Uint8Array | ArrayBuffer | Blob

/** A model that has been found. */
export interface ModelFile {
  readonly model: Uint8Array | string
  /** The bytes are ours alone and may be moved. */
  readonly own: boolean
  /** Null where nothing was downloaded. */
  readonly downloadMs: number | null
}

/** A model behind a URL. */
export async function fromUrl(url: string, options: DownloadOptions): Promise<ModelFile> {
  const startedAt = performance.now()
  const model = await download(url, options)
  return { model, own: true, downloadMs: performance.now() - startedAt }
}

/** A model given as bytes. */
export async function fromBytes(source: Uint8Array | ArrayBuffer | Blob): Promise<ModelFile> {
  const given = 'arrayBuffer' in source ? await source.arrayBuffer() : source
  const bytes = 'buffer' in given ? given : new Uint8Array(given)
  sniff(bytes.subarray(0, sniffBytes), 'The model')
  // A message takes a view's whole buffer along, and shared memory may change meanwhile: such bytes are copied once, here.
  const whole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
  return {
    model: whole ? bytes : new Uint8Array(bytes),
    own: !whole || 'arrayBuffer' in source,
    downloadMs: null,
  }
}

/** Whether it is bytes in one of the forms that `load` takes. */
export function isBytes(source: unknown): source is Uint8Array | ArrayBuffer | Blob {
  const tag = (source as { [Symbol.toStringTag]?: unknown } | null | undefined)?.[Symbol.toStringTag]
  return tag === 'Uint8Array' || tag === 'ArrayBuffer' || tag === 'Blob' || tag === 'File'
}

/** The last part of a URL or path without query and extension: the model's name. */
export function nameOf(source: ModelSource): string {
  if (isBytes(source)) return 'model'
  const parts = decode(String(source).replace(/[?#].*$/, ''))
    .split(/[\\/]/)
    .filter(Boolean)
  const last = (parts.pop() ?? '').replace(/\.(onnx|ort)$/i, '')
  return last || 'model'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @throws InferenceError INVALID_INPUT */
export function refuse(source: unknown): never {
  throw new InferenceError(
    'INVALID_INPUT',
    `load() takes a URL, in Node also a path, or bytes (Uint8Array, ArrayBuffer, Blob), not ${source === null || typeof source === 'string' ? source : typeof source}.`,
    { data: { path: 'source' } },
  )
}
