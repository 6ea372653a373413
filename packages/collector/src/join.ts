import type { WireSpan } from '@tandem/telemetry/wire'

/** One span as the collector keeps it: with who recorded it. Its start is by that recorder's wall clock. */
export interface KeptSpan extends WireSpan {
  readonly service: string
  readonly instance: string
}

/** A span in its place in the tree. */
export interface TraceSpan extends Omit<KeptSpan, 'traceId'> {
  /** Milliseconds after the start of the trace. */
  readonly startMs: number
  /** 0 for a root. The parent is the nearest span above with a smaller depth. */
  readonly depth: number
  /** duration − Σ stages, never below 0; undefined when the span has no stages. */
  readonly unattributedMs: number | undefined
  /** How far the span was moved because its recorder's clock disagreed with its parent's. */
  readonly shiftedMs: number
}

/** All that was kept of one trace, joined across recorders. */
export interface Trace {
  readonly traceId: string
  /** Milliseconds since 1970 of the earliest span. */
  readonly startMs: number
  readonly durationMs: number
  readonly services: readonly string[]
  /** Parents before their children, siblings by time. */
  readonly spans: readonly TraceSpan[]
  /** Spans that came after the trace was full. */
  readonly leftOut: number
}

interface Placed {
  readonly span: KeptSpan
  readonly depth: number
  readonly shiftedMs: number
}

/**
 * Joins by parent id alone. Two machines' clocks are never trusted against each other: a span of another recorder that
 * lies outside its parent is moved to the parent's middle, with all that is below it.
 */
export function joinTrace(traceId: string, spans: readonly KeptSpan[], leftOut = 0): Trace {
  const placed = place(spans)
  let startMs = Number.POSITIVE_INFINITY
  let endMs = Number.NEGATIVE_INFINITY
  for (const one of placed) {
    startMs = Math.min(startMs, startOf(one))
    endMs = Math.max(endMs, startOf(one) + one.span.durationMs)
  }
  return {
    traceId,
    startMs,
    durationMs: endMs - startMs,
    services: [...new Set(placed.map((one) => one.span.service))],
    spans: placed.map((one) => finished(one, startMs)),
    leftOut,
  }
}

function place(spans: readonly KeptSpan[]): Placed[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const children = new Map<string, KeptSpan[]>()
  const roots: KeptSpan[] = []
  for (const span of [...spans].sort((a, b) => a.startMs - b.startMs)) {
    const { parentSpanId } = span
    if (parentSpanId === undefined || !byId.has(parentSpanId)) roots.push(span)
    else children.set(parentSpanId, [...(children.get(parentSpanId) ?? []), span])
  }

  const placed: Placed[] = []
  const seen = new Set<string>()
  for (const root of roots) walk({ span: root, depth: 0, shiftedMs: 0 })
  // Spans that are each other's parents hang from no root: the earliest of each ring stands in for one.
  for (const span of spans) walk({ span, depth: 0, shiftedMs: 0 })
  return placed

  // A stack, not recursion: a trace may be one chain as long as the limit.
  function walk(root: Placed): void {
    const stack = [root]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const parent = next
      if (seen.has(parent.span.spanId)) continue
      seen.add(parent.span.spanId)
      placed.push(parent)
      const below = (children.get(parent.span.spanId) ?? []).map((span) => ({
        span,
        depth: parent.depth + 1,
        shiftedMs: shift(span, parent),
      }))
      stack.push(...below.sort((a, b) => startOf(b) - startOf(a)))
    }
  }
}

function shift(span: KeptSpan, parent: Placed): number {
  if (span.instance === parent.span.instance) return parent.shiftedMs
  const from = startOf(parent)
  const slackMs = parent.span.durationMs - span.durationMs
  const inside = span.startMs >= from && span.startMs <= from + slackMs
  return inside ? 0 : from + slackMs / 2 - span.startMs
}

function startOf({ span, shiftedMs }: Placed): number {
  return span.startMs + shiftedMs
}

function finished(placed: Placed, traceStartMs: number): TraceSpan {
  const { traceId: _, ...span } = placed.span
  const parts = Object.values(span.stages)
  const sum = parts.reduce((total, ms) => total + ms, 0)
  return {
    ...span,
    startMs: startOf(placed) - traceStartMs,
    depth: placed.depth,
    unattributedMs: parts.length === 0 ? undefined : Math.max(0, span.durationMs - sum),
    shiftedMs: placed.shiftedMs,
  }
}
