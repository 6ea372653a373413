import { type Batch, validateBatch } from '@tandem/telemetry/wire'
import { CollectorError } from './error.js'

/**
 * A batch whose structure is sound; single spans may still be malformed.
 * @throws CollectorError INVALID_BATCH, with the path in `path`
 */
export function parseBatch(text: string): Batch {
  if (text === '') throw new CollectorError('INVALID_BATCH', 'the body is empty: post one batch as JSON')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new CollectorError('INVALID_BATCH', 'the body is not JSON: post one batch as JSON', { cause })
  }
  const checked = validateBatch(value)
  if (checked.ok) return checked.batch
  // The sentence starts with the path, except where the whole is at fault.
  const path = /^[\w.[\]]+(?= )/.exec(checked.error)?.[0]
  throw new CollectorError(
    'INVALID_BATCH',
    `${checked.error}: send what wire format 1 asks for`,
    path === undefined || path === 'the' ? {} : { path },
  )
}

/** The same JSON without line breaks: outside of strings they mean nothing, and inside JSON has none. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ')
}
