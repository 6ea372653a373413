// For testing against a collector, and for testing collectors: no disk, no port, no waiting.
export type { SampleOptions, SampleSpan } from './testing/batch.js'
export { sampleBatch } from './testing/batch.js'
export type { ManualClock } from './testing/clock.js'
export { manualClock } from './testing/clock.js'
export type { MemoryCollector } from './testing/memory.js'
export { memoryCollector, memoryJournal } from './testing/memory.js'
