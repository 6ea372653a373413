import type { Attempt } from '@tandem/sdk'
import type { JSX } from 'preact'
import { isWrong } from '../measure/difference.js'
import { labelOf } from '../places.js'
import type { Group, RunLog, State } from '../state/state.js'
import { count, ms, off } from './format.js'

/** For each place why it was taken, and for each run where it went. */
export function Where({ state }: { state: State }): JSX.Element {
  const groups = state.groups.filter((group) => group.model === state.model)
  const log = state.log.filter((run) => run.model === state.model)
  return (
    <section class="card where" aria-labelledby="where-title">
      <h2 id="where-title">Where it ran, and why</h2>
      {groups.length === 0 ? (
        <p class="blank">Nothing has run yet.</p>
      ) : (
        <ul class="sessions">
          {groups.map((group) => (
            <Session key={group.key} group={group} />
          ))}
        </ul>
      )}
      {log.length > 0 && (
        <ol class="log" data-testid="log" reversed>
          {log.map((run) => (
            <Run key={run.number} run={run} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Session({ group }: { group: Group }): JSX.Element {
  return (
    <li data-testid="session" data-choice={group.choice}>
      <p>
        <b>{labelOf(group.choice)}</b> <span class="device">{group.device}</span>
      </p>
      <p data-testid="why">{group.why}</p>
      <Attempts attempts={group.attempts} />
      <p class="note">
        {group.runtime}
        {group.threads && ` · threads ${group.threads}`}
      </p>
    </li>
  )
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }): JSX.Element | null {
  if (attempts.length === 0) return null
  return (
    <ul class="attempts">
      {attempts.map((attempt, i) => (
        <li key={`${i} ${attempt.target}`} class={attempt.outcome} data-outcome={attempt.outcome}>
          <b>{attempt.target === attempt.device ? attempt.device : `${attempt.target}: ${attempt.device}`}</b>{' '}
          {attempt.outcome}
          {attempt.code && (
            <>
              {' '}
              <code>{attempt.code}</code>
            </>
          )}
          {attempt.outcome !== 'skipped' && ` after ${ms(attempt.durationMs)} ms`}
          {attempt.reason && `: ${attempt.reason}`}
        </li>
      ))}
    </ul>
  )
}

function Run({ run }: { run: RunLog }): JSX.Element {
  const failed = run.attempts.some((attempt) => attempt.outcome !== 'ok')
  return (
    <li value={run.number} data-testid="run-log" data-place={run.place} data-device={run.device}>
      {labelOf(run.choice)} → {run.place}, {run.device} · {run.input} · {ms(run.ms)} ms
      {run.calls > 1 && ` for ${count(run.calls, 'call')}`}
      {isWrong(run.difference) && <span class="wrong"> differs by {off(run.difference)}</span>}
      {failed && <Attempts attempts={run.attempts} />}
    </li>
  )
}
