import type { Batch } from '../batch.js'
import type { Delivery, Exporter } from '../exporter.js'
import { sampleBatch } from './batch.js'

export interface ExporterUnderTest {
  readonly exporter: Exporter
  /** Batches that have arrived where it exports to, oldest first, where a test can look there. */
  received?(): readonly Batch[]
  /** How often it has begun to send, write or print. */
  started(): number
  /** Called at the end of each case. */
  close?(): Promise<void>
}

/** One promise of the interface. `run` rejects when it is not kept. */
export interface ExporterCase {
  readonly name: string
  run(): Promise<void>
}

/**
 * What every exporter must do, as cases for any test runner:
 * `for (const { name, run } of testExporter(make)) test(name, run)`. `make` gives a fresh one that can deliver.
 */
export function testExporter(
  make: () => ExporterUnderTest | Promise<ExporterUnderTest>,
): readonly ExporterCase[] {
  const withFresh = (name: string, body: (under: ExporterUnderTest) => Promise<void>): ExporterCase => ({
    name,
    async run() {
      const under = await make()
      try {
        await body(under)
      } finally {
        await under.close?.()
      }
    },
  })

  return [
    withFresh('delivers a batch whole', async ({ exporter, received }) => {
      const batch = sampleBatch(3)
      const delivery = await exporter.export(batch)
      assert(delivery.delivered === 3, `delivered is ${delivery.delivered} of 3`)
      const arrived = received?.()
      if (arrived !== undefined) assert(same(arrived, [batch]), 'what arrived is not what was exported')
    }),
    withFresh('delivers figures without spans', async ({ exporter, received }) => {
      const batch = sampleBatch(0)
      const delivery = await exporter.export(batch)
      assert(delivery.delivered === 0, `delivered is ${delivery.delivered} of 0`)
      const arrived = received?.()
      if (arrived !== undefined) assert(same(arrived, [batch]), 'what arrived is not what was exported')
    }),
    withFresh('starts nothing on the caller’s tick', async ({ exporter, started }) => {
      const before = started()
      const settled = exporter.export(sampleBatch(3))
      assert(started() === before, 'it had begun to send before export() returned')
      await Promise.resolve()
      assert(started() === before, 'it began to send in a microtask, before the caller’s tick had ended')
      await settled
    }),
    withFresh('settles every one of many batches, in order', async ({ exporter, received }) => {
      const batches = Array.from({ length: 20 }, (_, seq) => sampleBatch(2, seq))
      const deliveries = await Promise.all(batches.map((batch) => exporter.export(batch)))
      assert(
        deliveries.every(({ delivered }) => delivered === 2),
        'not all were delivered',
      )
      const arrived = received?.().map(({ seq }) => seq)
      if (arrived !== undefined) assert(same(arrived, [...Array(20).keys()]), `they arrived as ${arrived}`)
    }),
    withFresh('leaves the batch as it was', async ({ exporter }) => {
      const batch = sampleBatch(3)
      const before = JSON.stringify(batch)
      await exporter.export(batch)
      assert(JSON.stringify(batch) === before, 'the batch was changed')
    }),
    withFresh('the page’s end starts sending at once and still settles', async ({ exporter, started }) => {
      if (exporter.exit === undefined) return
      const settled = exporter.export(sampleBatch(3))
      const before = started()
      exporter.exit()
      assert(started() > before, 'nothing was started')
      assert((await settled).delivered === 3, 'not delivered')
    }),
    withFresh('shutdown delivers what is left', async ({ exporter }) => {
      const settled = exporter.export(sampleBatch(3))
      await exporter.shutdown(new AbortController().signal)
      assert((await settled).delivered === 3, 'the batch was lost')
    }),
    withFresh('shutdown past its deadline settles every batch, counting none twice', async ({ exporter }) => {
      const settled = exporter.export(sampleBatch(3))
      const given = new AbortController()
      given.abort()
      await exporter.shutdown(given.signal)
      assert(isSound(await settled, 3), 'delivered is not a count of the batch’s spans')
    }),
    withFresh('after shutdown a batch is settled, and shutdown twice is once', async ({ exporter }) => {
      const { signal } = new AbortController()
      await exporter.shutdown(signal)
      await exporter.shutdown(signal)
      assert(
        isSound(await exporter.export(sampleBatch(3)), 3),
        'delivered is not a count of the batch’s spans',
      )
    }),
  ]
}

function isSound({ delivered }: Delivery, spans: number): boolean {
  return Number.isInteger(delivered) && delivered >= 0 && delivered <= spans
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function assert(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}
