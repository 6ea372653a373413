import type { WireSpan } from '../decode.js'
import { memoryExporter } from '../exporters/memory.js'
import { createTelemetry, type Platform, type Telemetry, type TelemetryOptions } from '../telemetry.js'
import { type ManualClock, manualClock } from './clock.js'

export interface Recording extends Telemetry {
  readonly t: Telemetry
  readonly clock: ManualClock
  /** Everything recorded so far, as it went over the wire. */
  spans(): Promise<WireSpan[]>
}

/** A recorder that keeps everything, in memory, on a clock that is moved by hand. */
export function recording(
  options: Partial<TelemetryOptions> = {},
  platform: Partial<Platform> = {},
): Recording {
  const clock = manualClock()
  const memory = memoryExporter()
  const t = createTelemetry(
    { service: 'test', log: 'none', clock, exporters: [memory], ...options },
    { environment: 'development', ...platform },
  )
  return {
    ...t,
    t,
    clock,
    async spans() {
      await t.flush()
      return memory.spans()
    },
  }
}
