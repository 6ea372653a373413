import { ambient } from './ambient.node.js'
import { nodeClock } from './clock.node.js'
import { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.js'

/** A recorder for this process. Node's `NODE_ENV` names the environment unless the options do; unset, it is development. */
export function telemetry(options: TelemetryOptions): Telemetry {
  const environment = process.env.NODE_ENV || 'development'
  return createTelemetry(options, { environment, clock: nodeClock, ambient: ambient() })
}

export * from './index.js'
