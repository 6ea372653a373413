import type { Recorder, StageTimes } from '@tandem/telemetry'
import type { RunOptions, Timings } from '../session.js'

/** One run, as its span will tell it. */
export interface Call {
  /** What joins the server to it. */
  readonly headers: Record<string, string>
  elapsedMs(): number
  inputBytes: number | undefined
  outputBytes: number | undefined
  timings: Timings | undefined
  /** Records the span. */
  end(outcome: string): void
}

/** Opens the span of a run; without a recorder the server still learns the caller's trace. */
export function startCall(telemetry: Recorder | undefined, run: RunOptions, model: string): Call {
  const startMs = performance.now()
  const recorder = telemetry ?? run.trace?.recorder
  const context = recorder?.child(run.trace)
  const parent = context ?? run.trace
  const headers: Record<string, string> = {}
  if (parent !== undefined) {
    headers.traceparent = `00-${parent.traceId}-${parent.spanId}-${parent.sampled ? '01' : '00'}`
  }
  // An id that a header can't carry still travels in the body.
  if (run.requestId !== undefined && /^[\x21-\x7e]+$/.test(run.requestId))
    headers['x-request-id'] = run.requestId
  const call: Call = {
    headers,
    elapsedMs: () => performance.now() - startMs,
    inputBytes: undefined,
    outputBytes: undefined,
    timings: undefined,
    end(outcome) {
      if (context === undefined) return
      const { timings, inputBytes, outputBytes } = call
      recorder?.record({
        context,
        name: 'infer',
        kind: 'client',
        startMs,
        durationMs: timings?.total ?? performance.now() - startMs,
        stages: timings && stagesOf(timings),
        model,
        device: 'remote',
        place: 'remote',
        sync: 'await',
        batchSize: timings?.batchSize,
        inputBytes,
        outputBytes,
        outcome,
      })
    },
  }
  return call
}

function stagesOf({ queue, input, inference, output, network }: Timings): StageTimes {
  return { queue, input, inference, output, network }
}
