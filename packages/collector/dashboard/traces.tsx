import type { JSX } from 'preact'
import type { TraceRow } from '../src/traces.js'
import { ms, time } from './format.js'
import { whatOf, whereOf } from './groups.js'
import { Waterfall } from './waterfall.js'

export interface TracesProps {
  readonly traces: readonly TraceRow[]
  /** The one that is open, or ''. */
  readonly chosen: string
  choose(traceId: string): void
}

/** The latest traces, and the one that was chosen as a waterfall. */
export function Traces({ traces, chosen, choose }: TracesProps): JSX.Element {
  return (
    <div class="traces">
      <ul class="picks">
        {traces.map((trace) => (
          <li key={trace.traceId}>
            <button
              type="button"
              aria-pressed={trace.traceId === chosen}
              onClick={() => choose(trace.traceId === chosen ? '' : trace.traceId)}
            >
              <span class="where">
                <strong>{whatOf({ name: trace.name, model: trace.model ?? null })}</strong>
                <span class="muted">
                  {time(trace.startMs)} ·{' '}
                  {whereOf({ place: trace.place ?? null, device: trace.device ?? null })} ·{' '}
                  {trace.spans === 1 ? '1 span' : `${trace.spans} spans`}
                  {trace.services.length > 1 && ` · ${trace.services.length} services`}
                  {trace.outcome !== 'ok' && <b class="bad"> · {trace.outcome}</b>}
                </span>
              </span>
              <span class="number">{ms(trace.durationMs)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div class="waterfall" aria-live="polite">
        {chosen === '' ? (
          <p class="muted">Choose a trace to see its spans from every process on one line of time.</p>
        ) : (
          <Waterfall key={chosen} traceId={chosen} />
        )}
      </div>
    </div>
  )
}
