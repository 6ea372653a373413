import { InferenceError } from '@tandem/sdk/error'
import type { Recorder, SpanContext } from '@tandem/telemetry'
import type { Input } from './input.js'
import type { Pooled } from './pool/pool.js'

/** Records one `preprocess` span around `work`, whatever becomes of it. */
export const observed = async (
  recorder: Recorder | undefined,
  options: { readonly trace?: SpanContext | undefined; readonly signal?: AbortSignal | undefined },
  input: Input,
  work: () => Promise<Pooled>,
): Promise<Pooled> => {
  if (recorder === undefined) return work()
  const context = recorder.child(options.trace)
  const startMs = performance.now()
  const inputBytes = bytesIn(input)
  const record = (outcome: string, pooled?: Pooled): void =>
    recorder.record({
      context,
      name: 'preprocess',
      kind: 'internal',
      place: 'local',
      sync: 'await',
      startMs,
      durationMs: performance.now() - startMs,
      inputBytes,
      outcome,
      ...(pooled && {
        stages: { queue: pooled.queueMs, preprocess: pooled.done.preprocessMs },
        outputBytes: pooled.done.tensor.data.byteLength,
      }),
    })
  try {
    const pooled = await work()
    record('ok', pooled)
    return pooled
  } catch (error) {
    record(outcomeOf(error, options.signal))
    throw error
  }
}

function outcomeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted === true && error === signal.reason) return 'cancelled'
  return InferenceError.is(error) ? error.code : 'error'
}

function bytesIn(input: Input): number | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  if ('size' in input) return input.size
  if ('byteLength' in input) return input.byteLength
  return 'data' in input ? input.data?.byteLength : undefined
}
