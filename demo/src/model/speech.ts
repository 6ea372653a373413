import { audio, type Preprocessor } from '@tandem/preprocess'
import { output } from '@tandem/sdk'
import type { SpanContext } from '@tandem/telemetry'
import { floats } from './floats.js'
import { chunkCount, listen, sampleRate } from './silero.js'
import type { Task } from './task.js'

const plan = audio({ input: 'input', sampleRate })

/** A recording as the model hears it: mono, 16 kHz. Read in a worker. */
export async function recording(
  pre: Preprocessor,
  input: Blob,
  options: { signal: AbortSignal; trace?: SpanContext | undefined },
): Promise<Float32Array> {
  const { feeds } = await pre.run(plan, input, options)
  return floats(feeds.input)
}

export const speech: Task = {
  model: 'silero_vad',
  title: 'Speech in a recording',
  verb: 'listen',
  about: 'Silero VAD v5 · stateful, 32 ms a call · 2.3 MB',
  accept: 'audio/wav,audio/x-wav,.wav,.wave',
  file: '/models/silero_vad.onnx',
  runs: 3,
  // Each one is some two hundred calls.
  maxRuns: 100,
  compared: (result) => [output(result, 'output')],
  async pass(session, input, { pre, signal, trace, onCall }) {
    const start = performance.now()
    const samples = await recording(pre, input, { signal, trace })
    const preprocessMs = performance.now() - start
    const calls = chunkCount(samples)
    const probabilities = await listen(session, samples, { signal, trace }, (result, i, soFar) =>
      onCall(result, i, calls, () => ({ kind: 'speech', probabilities: soFar.slice() })),
    )
    return { answer: { kind: 'speech', probabilities }, preprocessMs, postprocessMs: null }
  },
}
