import type { DownloadOptions } from './download.js'
import { fromBytes, fromUrl, isBytes, type ModelFile, type ModelSource, refuse } from './source.js'

/** Finds a model: a URL, relative to the page, or bytes. */
export function readModel(source: ModelSource, options: DownloadOptions): Promise<ModelFile> {
  if (isBytes(source)) return fromBytes(source)
  if (typeof source !== 'string' && !(source instanceof URL)) refuse(source)
  return fromUrl(absolute(source), options)
}

/** Relative to the page, or in a worker to its script. */
export function absolute(url: string | URL): string {
  try {
    return new URL(url, globalThis.document?.baseURI ?? globalThis.location.href).href
  } catch {
    return refuse(url)
  }
}
