import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { InferenceError } from '../error.js'
import type { DownloadOptions } from './download.js'
import { sniff, sniffBytes } from './sniff.js'
import { fromBytes, fromUrl, isBytes, type ModelFile, type ModelSource, refuse } from './source.js'

/** Finds a model: a path, a `file:`, `http(s):` or `data:` URL, or bytes. onnxruntime reads files itself, with their external data. */
export async function readModel(source: ModelSource, options: DownloadOptions): Promise<ModelFile> {
  if (isBytes(source)) return fromBytes(source)
  if (typeof source !== 'string' && !(source instanceof URL)) refuse(source)
  const text = String(source)
  if (/^(https?|data|blob):/i.test(text)) return fromUrl(text, options)
  return readFile(/^file:/i.test(text) ? pathOf(text) : text, options)
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return refuse(url)
  }
}

async function readFile(path: string, { onProgress }: DownloadOptions): Promise<ModelFile> {
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    throw new InferenceError('MODEL_NOT_FOUND', `${path} can't be opened (${cause.code}); check the path.`, {
      cause,
      data: { path },
    })
  })
  try {
    const stat = await file.stat()
    if (!stat.isFile()) {
      throw new InferenceError('NOT_A_MODEL', `${path} is a folder, not a model; name a .onnx file in it.`, {
        data: { path },
      })
    }
    const head = new Uint8Array(sniffBytes)
    const { bytesRead } = await file.read(head, 0, sniffBytes, 0)
    sniff(head.subarray(0, bytesRead), path)
    onProgress?.({ loaded: stat.size, total: stat.size })
    return { model: path, own: false, downloadMs: null }
  } finally {
    await file.close()
  }
}
