// What both entries give; each adds its own telemetry().

// The recorder, and what hangs on it

export type { Policy } from './policy.js'
export { policies } from './policy.js'
export type { Stats, StatsQuery } from './stats.js'
export type { Telemetry, TelemetryOptions } from './telemetry.js'
export type { Trace, TraceOptions } from './trace.js'
export type { Traced, TracedOptions } from './traced.js'

// Spans and their context

export type { ChildContext, Recorder, Span, SpanContext, Stage, StageTimes, Sync } from './span.js'
export { stages } from './span.js'
export { formatTraceparent, parseTraceparent } from './traceparent.js'

// Where batches go

export type { Batch, DropReason, Ledger, Series } from './batch.js'
export type { Clock } from './clock.js'
export type { Delivery, Exporter } from './exporter.js'
export type { ConsoleOptions } from './exporters/console.js'
export { consoleExporter } from './exporters/console.js'
export type { HttpOptions } from './exporters/http.js'
export { httpExporter } from './exporters/http.js'
export type { Random } from './ids.js'
