import type { Batch } from '../batch.js'
import { at } from '../column.js'
import type { Exporter } from '../exporter.js'
import { stages } from '../span.js'

export interface ConsoleOptions {
  /** Only calls that took longer than this or failed are shown, as warnings. By default every call is, for debugging. */
  readonly slowMs?: number | undefined
  /** Where to write; the global console by default. */
  readonly console?: Pick<Console, 'debug' | 'warn'> | undefined
}

/** Lines for one batch: a flood tells no more than its beginning and its size. */
const mostLines = 100

/** Shows calls on the console. */
export function consoleExporter(options: ConsoleOptions = {}): Exporter {
  const { slowMs } = options
  const out = options.console ?? console
  const write = slowMs === undefined ? out.debug : out.warn
  return {
    name: 'console',
    async export(batch) {
      // A terminal is written to synchronously, and whoever hands over a batch is not to wait for it.
      await new Promise<void>((resolve) => setTimeout(resolve))
      const { service, spans } = batch
      const say = (text: string): void => write.call(out, `${service}: ${text}`)
      let calls = 0
      for (let i = 0; i < spans.n; i++) {
        const outcome = batch.dict[at(spans.outcome, i)]
        const fine = outcome === 'ok' || outcome === 'cancelled'
        if (slowMs !== undefined && fine && at(spans.duration, i) <= slowMs * 1000) continue
        if (calls++ < mostLines) say(describe(batch, i))
      }
      if (calls > mostLines) say(`… and ${calls - mostLines} more calls`)
      return { delivered: spans.n }
    },
    async shutdown() {},
  }
}

function describe({ spans, dict }: Batch, i: number): string {
  const labels = [spans.name, spans.model, spans.device, spans.place, spans.outcome]
  const words = labels
    .map((label) => dict[at(label, i)])
    .filter((word) => word !== undefined && word !== 'ok')
  const times = stages.flatMap((stage) => {
    const microseconds = at(spans.stages[stage] ?? -1, i)
    return microseconds < 0 ? [] : [`${stage} ${microseconds / 1000}`]
  })
  const parts = times.length === 0 ? '' : ` (${times.join(', ')})`
  const trace = spans.trace.slice(i * 32, i * 32 + 32)
  return `${words.join(' ')} ${at(spans.duration, i) / 1000} ms${parts} trace ${trace}`
}
