import type { Timings } from '@tandem/sdk'
import { stages } from '@tandem/telemetry'
import type { Call } from '../state/state.js'

/** A call's timings as the table shows them; what no stage explains is `unattributed`. */
export function callOf(timings: Timings, first: boolean): Call {
  const known = stages.map((stage) => timings[stage] ?? 0)
  const explained = known.reduce((sum, ms) => sum + ms, 0)
  const { total, queue, input, inference, output, network } = timings
  const unattributed = Math.max(0, total - explained)
  return { first, series: { total, queue, input, inference, output, network, unattributed } }
}
