/** The stages that partition a call, in the order in which they happen. Code, wire, metrics and pages use these names. */
export const stages = [
  'queue',
  'preprocess',
  'input',
  'inference',
  'output',
  'postprocess',
  'network',
] as const

/** One part of a call's time. `input`, `inference` and `output` are Triton's compute_input, compute_infer and compute_output. */
export type Stage = (typeof stages)[number]

/** Milliseconds per stage. A stage that is unknown or did not happen is absent or null, never 0. */
export type StageTimes = { readonly [S in Stage]?: number | null | undefined }

/** Where a span stands: a W3C trace context, and the recorder that its children go to. */
export interface SpanContext {
  /** 32 lower-case hex digits. */
  readonly traceId: string
  /** 16 lower-case hex digits. */
  readonly spanId: string
  readonly sampled: boolean
  /** Takes the children's spans. Absent on a context that was read from a header. */
  readonly recorder?: Recorder | undefined
}

/** What can record spans: the part of `telemetry(…)` that other packages need. */
export interface Recorder {
  /** A context for a new span: a child of `parent`, else of the surrounding trace where the platform knows it (Node), else a new trace. */
  child(parent?: SpanContext | undefined): ChildContext
  /** Takes one finished span. Synchronous, never throws, does no I/O on the caller's tick. */
  record(span: Span): void
}

/** A context made by {@link Recorder.child}. */
export interface ChildContext extends SpanContext {
  readonly parentSpanId: string | undefined
}

/** How the clock was stopped: `await` (the promise settled), `queue` (the GPU queue is done), `readback` (the output was read). */
export type Sync = 'none' | 'await' | 'queue' | 'readback'

/** A finished span, as the recorder takes it. Times are `performance.now()` milliseconds of this process. */
export interface Span {
  readonly context: ChildContext
  /** What happened: `infer`, `load`, `preprocess`, `serve`, `attempt`, or a name given to `trace` and `traced`. */
  readonly name: string
  /** `client`: a remote server did the work. `server`: done for a remote client. */
  readonly kind: 'internal' | 'client' | 'server'
  readonly startMs: number
  readonly durationMs: number
  readonly stages?: StageTimes | undefined
  readonly model?: string | undefined
  /** Execution device: `wasm`, `webgpu`, `cpu`, … or `remote`. */
  readonly device?: string | undefined
  readonly place?: 'local' | 'remote' | undefined
  /** Why it ran there. Few values, never free text. */
  readonly why?: string | undefined
  readonly sync?: Sync | undefined
  readonly batchSize?: number | undefined
  readonly inputBytes?: number | undefined
  readonly outputBytes?: number | undefined
  /** False for a first run, which compiles and allocates. */
  readonly warm?: boolean | undefined
  /** `ok`, `cancelled` (the caller aborted), or an error's code. */
  readonly outcome: 'ok' | 'cancelled' | (string & {})
}
