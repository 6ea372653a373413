import { image, preprocessor } from '@tandem/preprocess'
import { load, output } from '@tandem/sdk'
import { telemetry } from '@tandem/telemetry'

/** What the test reads: a model of the size 1×3×4×4 run on a picture made here, through every package and worker. */
export interface ConsumerRun {
  values: number[]
  device: string
  spans: number
}

async function run(model: Uint8Array): Promise<ConsumerRun> {
  const t = telemetry({ service: 'consumer' })
  await using pre = preprocessor({ workers: 1 })
  await using session = await load(model, { device: 'auto', name: 'identity', telemetry: t })
  const picture = { width: 8, height: 8, channels: 3, data: new Uint8Array(8 * 8 * 3).fill(255) } as const
  const plan = image({ input: 'x', resize: { width: 4, height: 4 } })
  const result = await t.trace('consumer', async (trace) => {
    const { feeds } = await pre.run(plan, picture, { trace })
    return session.run(feeds, { trace })
  })
  const { data } = output(result, 'y')
  return { values: Array.from(data, Number), device: session.info.device, spans: t.ledger().recorded }
}

declare global {
  interface Window {
    run: typeof run
  }
}
window.run = run
