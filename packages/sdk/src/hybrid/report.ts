import type { Recorder } from '@tandem/telemetry'
import { outcomeOf } from '../outcome.js'
import type { Model, RunOptions, RunResult } from '../session.js'

/** Runs `call` as one span named `hybrid`, parent of the spans of every place tried: a call without a trace is one trace still. */
export async function reported<M extends Model>(
  telemetry: Recorder | undefined,
  model: string,
  options: RunOptions,
  call: (options: RunOptions) => Promise<RunResult<M>>,
): Promise<RunResult<M>> {
  const recorder = telemetry ?? options.trace?.recorder
  if (recorder === undefined) return call(options)
  const context = recorder.child(options.trace)
  const startMs = performance.now()
  const span = { context, name: 'hybrid', kind: 'internal', startMs, model } as const
  try {
    const result = await call({ ...options, trace: context })
    const winner = result.attempts.at(-1)
    recorder.record({
      ...span,
      durationMs: result.timings.total,
      stages: result.timings,
      place: result.place,
      device: winner?.device,
      why: result.attempts.length === 1 ? 'first' : 'fallback',
      batchSize: result.timings.batchSize,
      outcome: 'ok',
    })
    return result
  } catch (error) {
    const outcome = outcomeOf(error, options.signal)
    recorder.record({ ...span, durationMs: performance.now() - startMs, outcome })
    throw error
  }
}
