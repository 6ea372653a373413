import { InferenceError } from '@tandem/sdk'
import type { Notice } from '../state/state.js'

/** An error as the page shows it: the sdk's own sentences say what was wrong and the fix. */
export function noticeOf(error: unknown): Notice {
  if (InferenceError.is(error)) return { tone: 'error', text: error.message, code: error.code }
  return { tone: 'error', text: error instanceof Error ? error.message : String(error) }
}
