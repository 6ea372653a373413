import { Fragment, type JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { SummaryRow } from '../src/series.js'
import { count, ms } from './format.js'
import type { Group } from './groups.js'
import { toggled } from './toggled.js'
import { Where } from './where.js'

const figures = ['mean', 'p50', 'p90', 'p95', 'p99', 'max'] as const

/** Every group's percentiles; each opens to those of its stages. */
export function Percentiles({ groups }: { groups: readonly Group[] }): JSX.Element {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">Count</th>
          {figures.map((figure) => (
            <th scope="col" key={figure}>
              {figure}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map(({ id, key, total, stages }) => (
          <Fragment key={id}>
            <tr>
              <th scope="row">
                <button
                  type="button"
                  class="opener"
                  aria-expanded={open.has(id)}
                  disabled={stages.length === 0}
                  onClick={() => setOpen(toggled(open, id))}
                >
                  <Where of={key} />
                </button>
              </th>
              <Cells row={total} />
            </tr>
            {open.has(id) &&
              stages.map((stage) => (
                <tr key={stage.stage} class="stage">
                  <th scope="row">
                    <i class={`swatch ${stage.stage}`} />
                    {stage.stage}
                  </th>
                  <Cells row={stage} />
                </tr>
              ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

function Cells({ row }: { row: SummaryRow }): JSX.Element {
  return (
    <>
      <td data-label="count">{count(row.count)}</td>
      {figures.map((figure) => (
        <td key={figure} data-label={figure}>
          {ms(row[figure])}
        </td>
      ))}
    </>
  )
}
