import type { Clock } from './clock.js'
import { followGenerator, isGenerator } from './generator.js'
import { outcomeOf } from './outcome.js'
import type { ChildContext, Recorder, Span, SpanContext, Sync } from './span.js'

/** What is known of a call beside its name. */
export interface TraceOptions {
  /** The trace to join; by default the surrounding one where the platform knows it (Node), else a new one. */
  readonly parent?: SpanContext | undefined
  readonly model?: string | undefined
  readonly device?: string | undefined
  readonly place?: 'local' | 'remote' | undefined
  readonly why?: string | undefined
}

/**
 * Runs `work` and records it as a span: `trace` is the context for what it calls. Gives back what `work` gives back, and throws
 * what it throws; a promise ends the span when it settles.
 */
export type Trace = <T>(name: string, work: (trace: ChildContext) => T, options?: TraceOptions) => T

/** Runs `work` inside `context`, so that what it calls, after any `await`, finds it. Node has one; a browser cannot. */
export type RunIn = <T>(context: SpanContext, work: () => T) => T

export function tracer(recorder: Recorder, clock: Clock, runIn: RunIn): Trace {
  return <T>(name: string, work: (trace: ChildContext) => T, options: TraceOptions = {}): T => {
    const { parent, ...labels } = options
    const context = recorder.child(parent)
    const startMs = clock.now()
    const end = (outcome: Span['outcome'], sync: Sync): void => {
      const durationMs = clock.now() - startMs
      recorder.record({ context, name, kind: 'internal', startMs, durationMs, sync, outcome, ...labels })
    }
    let result: T
    try {
      result = runIn(context, () => work(context))
    } catch (error) {
      end(outcomeOf(error), 'none')
      throw error
    }
    if (isPromise(result)) return followPromise(result, end) as T
    if (isGenerator(result)) {
      const ended = (outcome: string): void => end(outcome, 'await')
      return followGenerator(result, (step) => runIn(context, step), ended) as T
    }
    end('ok', 'none')
    return result
  }
}

/** One derived promise with both handlers, so that a rejection that nobody handles still surfaces. */
function followPromise(
  promise: Promise<unknown>,
  end: (outcome: string, sync: Sync) => void,
): Promise<unknown> {
  return promise.then(
    (value) => {
      end('ok', 'await')
      return value
    },
    (error: unknown) => {
      end(outcomeOf(error), 'await')
      throw error
    },
  )
}

/**
 * Promises only, of any realm. Another thenable is handed back untouched and its span ends with the call: many are lazy queries,
 * which a look at `then` would start.
 */
function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise || Object.prototype.toString.call(value) === '[object Promise]'
}
