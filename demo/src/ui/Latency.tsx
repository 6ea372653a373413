import type { JSX } from 'preact'
import { tolerance } from '../measure/difference.js'
import { figures } from '../measure/percentile.js'
import { labelOf } from '../places.js'
import { type Group, type Row, rows, type State } from '../state/state.js'
import { ms, off } from './format.js'

const labels: { readonly [R in Row]: string } = {
  total: 'Warm runs',
  queue: 'queue',
  preprocess: 'Preprocessing',
  input: 'input',
  inference: 'inference',
  output: 'output',
  postprocess: 'Postprocessing',
  network: 'network',
  unattributed: 'unattributed',
}

const kinds: { readonly [R in Row]?: string } = {
  total: 'total',
  preprocess: 'around',
  postprocess: 'around',
}

const unitOf = { blazeface: 'a picture', silero_vad: 'a chunk of 32 ms' } as const

/** Speed and correctness side by side: one block of rows for each place, a row for each stage. */
export function Latency({ state }: { state: State }): JSX.Element {
  const groups = state.groups.filter((group) => group.model === state.model)
  const failures = state.failures.filter((failure) => failure.model === state.model)
  return (
    <section class="card latency" aria-labelledby="latency-title">
      <h2 id="latency-title">Latency and correctness</h2>
      <p class="note">
        Milliseconds. A warm run is one call of the model for {unitOf[state.model]}, split into its stages;
        pre- and postprocessing are for the whole input. Difference: the largest distance from the reference
        output ({state.reference ?? 'WASM on this device'}, computed once), relative to its range; above{' '}
        {off(tolerance)} is <span class="wrong">wrong</span>.
      </p>
      <div class="scroll">
        <table data-testid="latency">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">n</th>
              <th scope="col">p50</th>
              <th scope="col">p95</th>
              <th scope="col">p99</th>
              <th scope="col">max</th>
              <th scope="col">Difference</th>
            </tr>
          </thead>
          {groups.map((group) => (
            <Block key={group.key} group={group} />
          ))}
          {failures.map((failure) => (
            <tbody key={failure.choice} class="block" data-testid="failure" data-choice={failure.choice}>
              <tr class="head">
                <th scope="rowgroup">{labelOf(failure.choice)}</th>
                <td colSpan={6} class="reason">
                  {failure.notice.code && <code>{failure.notice.code}</code>} {failure.notice.text}
                </td>
              </tr>
            </tbody>
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
      </div>
    </section>
  )
}

function Block({ group }: { group: Group }): JSX.Element {
  const { difference } = group
  const wrong = difference !== undefined && difference > tolerance
  return (
    <tbody
      class="block"
      data-testid="place-result"
      data-choice={group.choice}
      data-place={group.place}
      data-device={group.device}
    >
      <tr class="head">
        <th scope="rowgroup" colSpan={6}>
          {labelOf(group.choice)} <span class="device">{group.device}</span>
        </th>
        <td
          class={wrong ? 'difference wrong' : 'difference'}
          data-testid="difference"
          data-value={difference}
          data-wrong={wrong}
        >
          {difference === undefined ? '–' : off(difference)}
          {wrong && <b> wrong</b>}
        </td>
      </tr>
      <Once label="Download" value={group.downloadMs} />
      <Once label="Session creation" value={group.createMs} />
      <Once label="First run" value={group.firstMs} />
      {rows.map((row) => {
        const found = figures(group.values[row] ?? [])
        if (found === undefined)
          return row === 'total' ? <Once key={row} label={labels.total} value={null} /> : null
        return (
          <tr key={row} class={kinds[row] ?? 'stage'} data-row={row}>
            <th scope="row">{labels[row]}</th>
            <td>{found.count}</td>
            <td>{ms(found.p50)}</td>
            <td>{ms(found.p95)}</td>
            <td>{ms(found.p99)}</td>
            <td>{ms(found.max)}</td>
            <td />
          </tr>
        )
      })}
    </tbody>
  )
}

/** What happens once in a place has one figure. */
function Once({ label, value }: { label: string; value: number | null | undefined }): JSX.Element {
  return (
    <tr data-row={label.toLowerCase()}>
      <th scope="row">{label}</th>
      <td>{value === null || value === undefined ? '' : 1}</td>
      <td>{ms(value)}</td>
      <td colSpan={4} />
    </tr>
  )
}
