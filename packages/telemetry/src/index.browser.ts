import { onLeave } from './exporters/leaving.browser.js'
import { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.js'

/** A recorder for this page or worker. On localhost the environment is development unless the options name one, else production. */
export function telemetry(options: TelemetryOptions): Telemetry {
  const local = /(^|\.)localhost$|^127\.|^\[::1\]$/.test(globalThis.location?.hostname ?? '')
  const environment = local ? 'development' : 'production'
  return createTelemetry(options, { environment, onLeave })
}

export * from './index.js'
