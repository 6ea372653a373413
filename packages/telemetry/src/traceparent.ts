import type { SpanContext } from './span.js'

/** The W3C `traceparent` header of a context: `00-<trace>-<span>-<flags>`, lower case. */
export function formatTraceparent(context: SpanContext): string {
  return `00-${context.traceId}-${context.spanId}-${context.sampled ? '01' : '00'}`
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * Reads a `traceparent` header (W3C Trace Context). Undefined for what the specification tells one to ignore: version ff, ids of
 * zeros only, upper case, anything after the flags in version 00. Later versions may be longer.
 */
export function parseTraceparent(header: string | null | undefined): SpanContext | undefined {
  const [, version, traceId, spanId, flags, rest] = pattern.exec(header?.trim() ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
