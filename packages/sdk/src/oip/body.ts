import { parseDocument } from './document.js'
import type { Source } from './readtensor.js'
import { type Encoded, type Fail, jsonLengthHeader } from './wire.js'
import type { WrittenTensor } from './writetensor.js'

/** Joins JSON and binary tensors. The JSON is padded with blanks, which JSON allows, so that the first tensor is aligned for every dtype. */
export function joinBody(json: string, tensors: readonly WrittenTensor[]): Encoded {
  const text = new TextEncoder().encode(json)
  const parts = tensors.flatMap(({ bytes }) => bytes ?? [])
  if (tensors.every(({ bytes }) => bytes === undefined)) {
    return { body: text, headers: { 'content-type': 'application/json' } }
  }
  const jsonLength = Math.ceil(text.byteLength / 8) * 8
  const body = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, jsonLength))
  body.set(text)
  body.fill(0x20, text.byteLength, jsonLength)
  let at = jsonLength
  for (const part of parts) {
    body.set(part, at)
    at += part.byteLength
  }
  const headers = { 'content-type': 'application/octet-stream', [jsonLengthHeader]: String(jsonLength) }
  return { body, headers }
}

/**
 * Parses the JSON of a body and opens its binary part.
 * @param jsonLength the header's value; null: the whole body is JSON
 */
export function splitBody(
  body: Uint8Array<ArrayBuffer>,
  jsonLength: string | null,
  reading: { readonly tolerant: boolean; readonly fail: Fail },
): Source {
  const { tolerant, fail } = reading
  const offset = jsonLength === null ? body.byteLength : parseLength(jsonLength, body.byteLength, fail)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body.subarray(0, offset))
  } catch {
    throw fail('', 'failed to parse the JSON: it is not UTF-8 text')
  }
  return { document: parseDocument(text, fail), bytes: body, offset, textsRead: 0, tolerant, fail }
}

/** What must be empty once every tensor has been read. */
export function closeBody(source: Source, what: 'input' | 'output'): void {
  const left = source.bytes.byteLength - source.offset
  if (left > 0) throw source.fail('', `unexpected additional ${what} data: ${left} bytes more than declared`)
  if (source.textsRead < source.document.spans.length) {
    throw source.fail(`${what}s`, `a member 'data' stands twice in one ${what}`)
  }
}

function parseLength(header: string, bodyLength: number, fail: Fail): number {
  const length = /^-?\d+$/.test(header) ? Number(header) : Number.NaN
  if (Number.isNaN(length)) throw fail('', `Unable to parse Inference-Header-Content-Length, got: ${header}`)
  if (length === 0) {
    throw fail(
      '',
      'raw binary requests (Inference-Header-Content-Length: 0) are not supported: send the JSON header',
    )
  }
  if (length < 0 || length > bodyLength) {
    throw fail('', `inference header size should be in range (0, ${bodyLength}), got: ${header}`)
  }
  return length
}
