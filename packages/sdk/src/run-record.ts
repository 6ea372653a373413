import type { ChildContext, Recorder, SpanContext } from '@tandem/telemetry'
import type { SessionInfo } from './session.js'
import { byteSize, type Tensor } from './tensor.js'

/** What becomes known of a run as it goes. Milliseconds; null while unknown. */
export interface RunRecord {
  readonly startMs: number
  readonly recorder: Recorder | undefined
  readonly context: ChildContext | undefined
  total: number | null
  queue: number | null
  input: number | null
  inference: number | null
  output: number | null
  inputBytes: number | undefined
  outputBytes: number | undefined
}

export function begin(recorder: Recorder | undefined, parent: SpanContext | undefined): RunRecord {
  return {
    startMs: performance.now(),
    recorder,
    context: recorder?.child(parent),
    total: null,
    queue: null,
    input: null,
    inference: null,
    output: null,
    inputBytes: undefined,
    outputBytes: undefined,
  }
}

/** One span for the run, with its stages. Nothing that the caller fed is in it, not even a name. */
export function recordRun(
  run: RunRecord,
  info: SessionInfo & { readonly place: 'local' },
  why: string,
  warm: boolean,
  outcome: string,
): void {
  const { recorder, context, startMs, queue, input, inference, output, inputBytes, outputBytes } = run
  if (recorder === undefined || context === undefined) return
  recorder.record({
    context,
    name: 'infer',
    kind: 'internal',
    startMs,
    durationMs: run.total ?? performance.now() - startMs,
    stages: { queue, input, inference, output },
    model: info.model,
    device: info.device,
    place: info.place,
    why,
    sync: 'readback',
    batchSize: 1,
    inputBytes,
    outputBytes,
    warm,
    outcome,
  })
}

export function byteSizes(tensors: readonly Pick<Tensor, 'data'>[]): number {
  let bytes = 0
  for (const tensor of tensors) bytes += byteSize(tensor)
  return bytes
}
