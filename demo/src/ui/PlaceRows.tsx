import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { isWrong } from '../measure/difference.js'
import { type Figures, figures } from '../measure/percentile.js'
import { labelOf } from '../places.js'
import { type Group, type Row, rows } from '../state/state.js'
import { ms, off } from './format.js'

interface Props {
  readonly group: Group
  readonly open: boolean
  readonly onToggle: () => void
}

const labels: { readonly [R in Row]: string } = {
  preprocess: 'Preprocessing',
  total: 'Warm runs',
  queue: 'queue',
  input: 'input',
  inference: 'inference',
  output: 'output',
  network: 'network',
  unattributed: 'unattributed',
  postprocess: 'Postprocessing',
}
const kinds: { readonly [R in Row]?: string } = {
  total: 'total',
  preprocess: 'around',
  postprocess: 'around',
}

/** One place: its warm figures in one line, or unfolded what happened once and every stage. */
export function PlaceRows({ group, open, onToggle }: Props): JSX.Element {
  const { difference } = group
  const wrong = isWrong(difference)
  // Sorting is the page's only heavy arithmetic: once for each change, not once for each drawing.
  const sorted = useMemo(() => rows.map((row) => [row, figures(group.values[row] ?? [])] as const), [group])
  const total = sorted.find(([row]) => row === 'total')?.[1]
  return (
    <tbody
      class="block"
      data-testid="place-result"
      data-choice={group.choice}
      data-place={group.place}
      data-device={group.device}
    >
      <tr class="head">
        <th scope="rowgroup">
          <button type="button" class="fold" aria-expanded={open} onClick={onToggle}>
            <span aria-hidden="true">{open ? '▾' : '▸'}</span> {labelOf(group.choice)}{' '}
            <span class="device">{group.device}</span>
          </button>
        </th>
        <td
          class={wrong ? 'difference wrong' : 'difference'}
          data-testid="difference"
          data-value={difference}
          data-wrong={wrong}
        >
          {difference === undefined ? '–' : off(difference)}
          {wrong && ' wrong'}
        </td>
        {open ? <td colSpan={5} /> : <Cells found={total} />}
      </tr>
      {open && (
        <>
          <Once label="Download" value={group.downloadMs} />
          <Once label="Session creation" value={group.createMs} />
          <Once label="First run" value={group.firstMs} />
          {sorted.map(
            ([row, found]) =>
              (found !== undefined || row === 'total') && (
                <tr key={row} class={kinds[row] ?? 'stage'} data-row={row}>
                  <th scope="row">{labels[row]}</th>
                  <td />
                  <Cells found={found} />
                </tr>
              ),
          )}
        </>
      )}
    </tbody>
  )
}

function Cells({ found }: { found: Figures | undefined }): JSX.Element {
  return (
    <>
      <td>{ms(found?.p50)}</td>
      <td>{ms(found?.p95)}</td>
      <td>{ms(found?.p99)}</td>
      <td>{ms(found?.max)}</td>
      <td>{found?.count ?? 0}</td>
    </>
  )
}

/** What happens once in a place has one figure. */
function Once({ label, value }: { label: string; value: number | null | undefined }): JSX.Element {
  return (
    <tr class="around" data-row={label.toLowerCase()}>
      <th scope="row">{label}</th>
      <td />
      <td>{ms(value)}</td>
      <td colSpan={3} />
      <td>{value === null || value === undefined ? 0 : 1}</td>
    </tr>
  )
}
