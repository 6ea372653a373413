import { joinTrace, type KeptSpan, type Trace } from './join.js'
import type { Limits } from './limits.js'

/** A trace in the list of the latest. */
export interface TraceRow {
  readonly traceId: string
  /** Name of the first root. */
  readonly name: string
  readonly startMs: number
  readonly durationMs: number
  readonly spans: number
  readonly services: readonly string[]
  /** Of the first call to a model that went well. */
  readonly model: string | undefined
  readonly device: string | undefined
  readonly place: string | undefined
  /** `ok` only when every span is. */
  readonly outcome: string
}

export interface Traces {
  add(spans: readonly KeptSpan[]): void
  /** The latest first, by when a span of theirs last came. */
  recent(limit: number): TraceRow[]
  get(traceId: string): Trace | undefined
  size(): { readonly traces: number; readonly spans: number }
}

interface Kept {
  readonly spans: Map<string, KeptSpan>
  leftOut: number
  /** Its line in the list, until another span comes: pages ask for the list every few seconds. */
  row?: TraceRow | undefined
}

/** The latest traces, in memory, within the limits. */
export function traces(limits: Pick<Limits, 'traces' | 'spans' | 'spansPerTrace'>): Traces {
  /** In the order in which a span last came. */
  const kept = new Map<string, Kept>()
  let size = 0

  return {
    add(spans) {
      for (const span of spans) {
        const trace: Kept = kept.get(span.traceId) ?? { spans: new Map<string, KeptSpan>(), leftOut: 0 }
        kept.delete(span.traceId)
        kept.set(span.traceId, trace)
        if (trace.spans.has(span.spanId)) continue
        if (trace.spans.size >= limits.spansPerTrace) {
          trace.leftOut++
          continue
        }
        trace.spans.set(span.spanId, span)
        trace.row = undefined
        size++
        forget()
      }
    },
    recent(limit) {
      return [...kept.entries()]
        .slice(-limit)
        .reverse()
        .map(([traceId, trace]) => {
          trace.row ??= summarise(traceId, trace)
          return trace.row
        })
    },
    get(traceId) {
      const trace = kept.get(traceId)
      return trace && joinTrace(traceId, [...trace.spans.values()], trace.leftOut)
    },
    size: () => ({ traces: kept.size, spans: size }),
  }

  function forget(): void {
    for (const [traceId, trace] of kept) {
      if (kept.size <= limits.traces && size <= limits.spans) return
      kept.delete(traceId)
      size -= trace.spans.size
    }
  }
}

function summarise(traceId: string, kept: Kept): TraceRow {
  const { startMs, durationMs, services, spans } = joinTrace(traceId, [...kept.spans.values()], kept.leftOut)
  const modelled = spans.filter((span) => span.model !== undefined)
  const main = modelled.find((span) => span.outcome === 'ok') ?? modelled[0] ?? spans[0]
  return {
    traceId,
    name: spans[0]?.name ?? '',
    startMs,
    durationMs,
    spans: spans.length,
    services,
    model: main?.model,
    device: main?.device,
    place: main?.place,
    outcome: spans.find((span) => span.outcome !== 'ok')?.outcome ?? 'ok',
  }
}
