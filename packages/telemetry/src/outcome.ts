/** Characters of an error's code that are kept: an outcome is one of few, never free text. */
const code = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/

/** How a call ended that threw: `cancelled` for an abort, else the error's code or its class's name. */
export function outcomeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'error'
  const { name, code: own } = error as { name?: unknown; code?: unknown }
  if (name === 'AbortError') return 'cancelled'
  for (const candidate of [own, name])
    if (typeof candidate === 'string' && code.test(candidate)) return candidate
  return 'error'
}
