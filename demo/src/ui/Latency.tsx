import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { tolerance } from '../measure/difference.js'
import { labelOf } from '../places.js'
import type { Failure, State } from '../state/state.js'
import { off } from './format.js'
import { PlaceRows } from './PlaceRows.js'

const unitOf = { blazeface: 'a picture', silero_vad: 'a chunk of 32 ms' } as const

/** Up to so many places are shown stage by stage unless the visitor says otherwise; more are compared line by line. */
const unfolded = 2

/** Speed and correctness side by side: one block of rows for each place, a row for each stage. */
export function Latency({ state }: { state: State }): JSX.Element {
  const [chosen, setChosen] = useState<{ readonly [key: string]: boolean }>({})
  const groups = state.groups.filter((group) => group.model === state.model)
  const failures = state.failures.filter((failure) => failure.model === state.model)
  const isOpen = (key: string): boolean => chosen[key] ?? groups.length <= unfolded
  const all = groups.every((group) => isOpen(group.key))
  return (
    <section class="card latency" aria-labelledby="latency-title">
      <div class="heading">
        <h2 id="latency-title">Latency and correctness</h2>
        {groups.length > 0 && (
          <button
            type="button"
            class="small"
            data-testid="stages"
            onClick={() => setChosen(Object.fromEntries(groups.map((group) => [group.key, !all])))}
          >
            {all ? 'Hide the stages' : 'Show the stages'}
          </button>
        )}
      </div>
      <p class="note">
        Milliseconds. A warm run is one call of the model for {unitOf[state.model]}, split into its stages;
        pre- and postprocessing are for the whole input. Difference: the largest distance from the reference
        output ({state.reference ?? 'WASM on this device'}, computed once), relative to its range; above{' '}
        {off(tolerance)} is <span class="wrong">wrong</span>.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached with the keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Figures">
        <table data-testid="latency">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">Difference</th>
              <th scope="col">p50</th>
              <th scope="col">p95</th>
              <th scope="col">p99</th>
              <th scope="col">max</th>
              <th scope="col">n</th>
            </tr>
          </thead>
          {groups.map((group) => (
            <PlaceRows
              key={group.key}
              group={group}
              open={isOpen(group.key)}
              onToggle={() => setChosen({ ...chosen, [group.key]: !isOpen(group.key) })}
            />
          ))}
          {failures.map((failure) => (
            <FailureRow key={failure.choice} failure={failure} />
          ))}
          {groups.length + failures.length === 0 && (
            <tbody>
              <tr>
                <td colSpan={7} class="blank">
                  Nothing measured yet.
                </td>
              </tr>
            </tbody>
          )}
        </table>
      </section>
    </section>
  )
}

function FailureRow({ failure }: { failure: Failure }): JSX.Element {
  const { code, text } = failure.notice
  return (
    <tbody class="block" data-testid="failure" data-choice={failure.choice} data-code={code}>
      <tr class="head">
        <th scope="rowgroup">{labelOf(failure.choice)}</th>
        <td colSpan={6} />
      </tr>
      <tr>
        <td colSpan={7} class="reason">
          <p>
            {code && <code>{code}</code>} {text}
          </p>
        </td>
      </tr>
    </tbody>
  )
}
