export type { ChildContext, Recorder, Span, SpanContext, Stage, StageTimes, Sync } from './span.js'
export { stages } from './span.js'
