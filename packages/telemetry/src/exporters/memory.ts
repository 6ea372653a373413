import type { Batch } from '../batch.js'
import { decodeSpans, type WireSpan } from '../decode.js'
import type { Exporter } from '../exporter.js'

/** Keeps what it is given, for tests to look at. */
export interface MemoryExporter extends Exporter {
  readonly batches: readonly Batch[]
  /** The spans of all batches, decoded. */
  spans(): WireSpan[]
}

export function memoryExporter(): MemoryExporter {
  const batches: Batch[] = []
  return {
    name: 'memory',
    batches,
    spans: () => batches.flatMap((batch) => decodeSpans(batch).spans),
    async export(batch) {
      batches.push(batch)
      return { delivered: batch.spans.n }
    },
    async shutdown() {},
  }
}
