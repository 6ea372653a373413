import { leavingFetch, onLeave } from './exporters/leaving.browser.js'
import { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.js'

// The recorder

/** A recorder for this page or worker. On localhost the environment is development unless the options name one, else production. */
export function telemetry(options: TelemetryOptions): Telemetry {
  const local = /(^|\.)localhost$|^127\.|^\[::1\]$/.test(globalThis.location?.hostname ?? '')
  const environment = local ? 'development' : 'production'
  return createTelemetry(options, { environment, onLeave, leavingFetch })
}

// Where batches go
export type { Batch, DropReason, Ledger, Series } from './batch.js'
export type { Clock } from './clock.js'
export type { Delivery, Exporter } from './exporter.js'
export type { ConsoleOptions } from './exporters/console.js'
export { consoleExporter } from './exporters/console.js'
export type { HttpOptions } from './exporters/http.js'
export { httpExporter } from './exporters/http.js'
export type { Random } from './ids.js'
export type { Policy } from './policy.js'
export { policies } from './policy.js'
// Spans and their context
export type { ChildContext, Recorder, Span, SpanContext, Stage, StageTimes, Sync } from './span.js'
export { stages } from './span.js'
export type { Stats, StatsQuery } from './stats.js'
export type { Telemetry, TelemetryOptions } from './telemetry.js'
export type { Trace, TraceOptions } from './trace.js'
export type { Traced, TracedOptions } from './traced.js'
export { formatTraceparent, parseTraceparent } from './traceparent.js'
