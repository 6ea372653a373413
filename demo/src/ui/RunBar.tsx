import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { tasks } from '../model/tasks.js'
import { labelOf } from '../places.js'
import type { Event } from '../state/reduce.js'
import type { Job, State } from '../state/state.js'
import { percent } from './format.js'

interface Props {
  readonly state: State
  readonly dispatch: (event: Event) => void
  readonly onRun: () => void
  readonly onRunAll: () => void
  readonly onStop: () => void
  readonly onClear: () => void
}

/** How often, start, stop, and how far it has come. */
export function RunBar({ state, dispatch, onRun, onRunAll, onStop, onClear }: Props): JSX.Element {
  const { job, notice } = state
  const running = job !== undefined
  const run = useRef<HTMLButtonElement>(null)
  const stop = useRef<HTMLButtonElement>(null)
  const was = useRef(running)

  // A button that is disabled under the keyboard's focus drops it: hand it to the one that takes its place.
  useEffect(() => {
    if (was.current === running) return
    was.current = running
    if (document.activeElement === document.body)
      (running ? stop : run).current?.focus({ preventScroll: true })
  }, [running])

  const { maxRuns } = tasks[state.model]
  return (
    <section class="run" aria-label="Run">
      <div class="buttons">
        <label class="runs">
          Runs
          <input
            type="number"
            min={1}
            max={maxRuns}
            inputMode="numeric"
            value={state.runs}
            disabled={running}
            data-testid="runs"
            onChange={(event) => {
              const runs = Math.round(event.currentTarget.valueAsNumber)
              dispatch({ type: 'runs', runs: Math.min(maxRuns, Math.max(1, runs || 1)) })
            }}
          />
        </label>
        <button ref={run} type="button" class="primary" disabled={running} data-testid="run" onClick={onRun}>
          Run
        </button>
        <button type="button" disabled={running} data-testid="run-all" onClick={onRunAll}>
          Run everywhere
        </button>
        <button ref={stop} type="button" class="stop" disabled={!running} data-testid="stop" onClick={onStop}>
          Stop
        </button>
        <button
          type="button"
          disabled={running || state.groups.length + state.failures.length === 0}
          data-testid="clear"
          title="Forgets the figures and closes the sessions: the next run downloads again"
          onClick={onClear}
        >
          Start over
        </button>
      </div>
      <progress
        max={1}
        value={job?.progress ?? 0}
        aria-label="Progress"
        data-testid="progress"
        aria-hidden={!running}
      />
      <p class={`line ${notice?.tone ?? ''}`} data-testid="message" data-code={notice?.code}>
        {job && (
          <span data-testid="progress-text">
            {job.note} · {percent(job.progress)}
          </span>
        )}
        {notice && (
          <span role={notice.tone === 'error' ? 'alert' : 'status'}>
            {notice.code && <code>{notice.code}</code>} {notice.text}
          </span>
        )}
      </p>
      <p class="hidden" aria-live="polite">
        {job && spoken(job)}
      </p>
    </section>
  )
}

/** Progress for those who listen: every quarter, not every tenth of a second. */
function spoken({ phase, choice, progress }: Job): string {
  if (phase !== 'running') return phases[phase]
  return `${labelOf(choice)}: ${percent(Math.floor(4 * progress) / 4)}`
}

const phases = { reference: 'Computing the reference answer', opening: 'Opening a session' } as const
