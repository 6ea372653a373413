// For the tests of those who use telemetry, or write an exporter for it.
export type { MemoryExporter } from './exporters/memory.js'
export { memoryExporter } from './exporters/memory.js'
