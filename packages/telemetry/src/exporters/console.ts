import { decodeSpans, type WireSpan } from '../decode.js'
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
  return {
    name: 'console',
    async export(batch) {
      const { spans } = decodeSpans(batch)
      const shown = slowMs === undefined ? spans : spans.filter((span) => isWorthAWarning(span, slowMs))
      const write = slowMs === undefined ? out.debug : out.warn
      for (const span of shown.slice(0, mostLines)) write.call(out, `${batch.service}: ${describe(span)}`)
      if (shown.length > mostLines) {
        write.call(out, `${batch.service}: … and ${shown.length - mostLines} more calls`)
      }
      return { delivered: batch.spans.n }
    },
    async shutdown() {},
  }
}

function isWorthAWarning(span: WireSpan, slowMs: number): boolean {
  return span.durationMs > slowMs || (span.outcome !== 'ok' && span.outcome !== 'cancelled')
}

function describe(span: WireSpan): string {
  const where = [span.model, span.device, span.place].filter((label) => label !== undefined).join(' ')
  const parts = stages.flatMap((stage) => {
    const ms = span.stages[stage]
    return ms === undefined ? [] : [`${stage} ${ms.toFixed(2)}`]
  })
  const outcome = span.outcome === 'ok' ? '' : ` ${span.outcome}`
  const head = `${span.name}${where === '' ? '' : ` ${where}`}${outcome} ${span.durationMs.toFixed(2)} ms`
  return `${head}${parts.length === 0 ? '' : ` (${parts.join(', ')})`} trace ${span.traceId}`
}
