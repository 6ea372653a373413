// What crosses from a recorder to a collector, and nothing that records: a collector needs only this.

// The format
export type {
  Batch,
  BatchAnswer,
  Column,
  DropReason,
  Ledger,
  Series,
  SketchData,
  SketchRow,
  SpanColumns,
} from './batch.js'
export { seriesNames, wireVersion } from './batch.js'
// Reading it
export type { DecodedSpans, WireSpan } from './decode.js'
export { decodeSpans } from './decode.js'
export type { SketchStats } from './sketch.js'
export { Sketch, sketch } from './sketch.js'
export type { CheckedBatch } from './validate.js'
export { validateBatch } from './validate.js'
