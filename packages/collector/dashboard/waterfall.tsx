import type { JSX } from 'preact'
import type { Trace, TraceSpan } from '../src/join.js'
import { ms, time } from './format.js'
import { whatOf, whereOf } from './groups.js'
import { usePoll } from './poll.js'

const refreshMs = 4000

/** One trace: every span at its time, cut into its stages. */
export function Waterfall({ traceId }: { traceId: string }): JSX.Element {
  const { value: trace, error } = usePoll<Trace>(`v1/traces/${encodeURIComponent(traceId)}`, refreshMs)
  if (trace === undefined) return <p class="muted">{error ?? 'Loading …'}</p>
  return (
    <>
      <p class="muted">
        <code>{traceId}</code> · {time(trace.startMs)} · {ms(trace.durationMs)} · {trace.services.join(', ')}
      </p>
      <ol>
        {trace.spans.map((span) => (
          <Row key={span.spanId} span={span} wholeMs={trace.durationMs} />
        ))}
      </ol>
      {trace.leftOut > 0 && <p class="muted">{trace.leftOut} more spans of this trace were not kept.</p>}
    </>
  )
}

function Row({ span, wholeMs }: { span: TraceSpan; wholeMs: number }): JSX.Element {
  const percent = (part: number) => `${wholeMs > 0 ? (100 * part) / wholeMs : 0}%`
  const parts = Object.entries(span.stages)
  const words = [...parts, ['unattributed', span.unattributedMs] as const]
    .flatMap(([stage, value]) => (value === undefined ? [] : [`${stage} ${ms(value)}`]))
    .join(', ')
  const about = [whereOf({ place: span.place ?? null, device: span.device ?? null }), span.service]
  if (span.why !== undefined) about.push(span.why)
  if (span.batchSize !== undefined && span.batchSize > 1) about.push(`batch of ${span.batchSize}`)
  if (span.warm === false) about.push('first run')
  if (span.shiftedMs !== 0) about.push('clock corrected')
  return (
    <li>
      <div class="label" style={{ paddingInlineStart: `${Math.min(span.depth, 8) * 0.9}rem` }}>
        <span class="where">
          <strong>{whatOf({ name: span.name, model: span.model ?? null })}</strong>
          <span class="muted">
            {about.join(' · ')}
            {span.outcome !== 'ok' && <b class="bad"> · {span.outcome}</b>}
          </span>
        </span>
        <span class="number">{ms(span.durationMs)}</span>
      </div>
      <div class="lane">
        <div
          class="bar"
          role="img"
          aria-label={`starts at ${ms(span.startMs)}, takes ${ms(span.durationMs)}${words && `: ${words}`}`}
          title={words}
          style={{ marginInlineStart: percent(span.startMs), width: percent(span.durationMs) }}
        >
          {parts.map(([stage, value]) => (
            <i key={stage} class={stage} style={{ flexGrow: value }} />
          ))}
          <i
            class={parts.length > 0 ? 'unattributed' : 'whole'}
            style={{ flexGrow: span.unattributedMs ?? 1 }}
          />
        </div>
      </div>
      {words !== '' && <p class="muted stages">{words}</p>}
    </li>
  )
}
