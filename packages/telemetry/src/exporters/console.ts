import type { Batch, Column } from '../batch.js'
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
        const call = read(batch, i)
        if (slowMs !== undefined && call.durationMs <= slowMs && !call.failed) continue
        if (calls++ < mostLines) say(call.text)
      }
      if (calls > mostLines) say(`… and ${calls - mostLines} more calls`)
      return { delivered: spans.n }
    },
    async shutdown() {},
  }
}

function read({ spans, dict }: Batch, i: number): { durationMs: number; failed: boolean; text: string } {
  const label = (labels: Column<number>): string | undefined => dict[at(labels, i)]
  const outcome = label(spans.outcome)
  const durationMs = at(spans.duration, i) / 1000
  const parts = stages.flatMap((stage) => {
    const microseconds = at(spans.stages[stage] ?? -1, i)
    return microseconds < 0 ? [] : [`${stage} ${microseconds / 1000}`]
  })
  const said = [label(spans.name), label(spans.model), label(spans.device), label(spans.place)]
  if (outcome !== 'ok') said.push(outcome)
  said.push(`${durationMs} ms`)
  if (parts.length > 0) said.push(`(${parts.join(', ')})`)
  said.push(`trace ${spans.trace.slice(i * 32, i * 32 + 32)}`)
  const text = said.filter((word) => word !== undefined).join(' ')
  return { durationMs, failed: outcome !== 'ok' && outcome !== 'cancelled', text }
}
