// For the tests of those who use telemetry, or write an exporter for it.

// In-memory variants
export type { MemoryExporter } from './exporters/memory.js'
export { memoryExporter } from './exporters/memory.js'
// What an exporter must do
export { sampleBatch, sampleSpan } from './testing/batch.js'
export type { ManualClock } from './testing/clock.js'
export { manualClock } from './testing/clock.js'
export type { ExporterCase, ExporterUnderTest } from './testing/exporter.js'
export { testExporter } from './testing/exporter.js'
