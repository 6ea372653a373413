import type { JSX } from 'preact'
import { ms, share } from './format.js'
import { type Group, leakOf, perCall } from './groups.js'
import { Where } from './where.js'

/** From this share on, more of a call is unexplained than a stage that someone forgot would be allowed to hide. */
const leaky = 0.1

/** The time that no stage explains, the worst first. */
export function Leaks({ groups }: { groups: readonly Group[] }): JSX.Element {
  const leaks = groups
    .flatMap((group) => {
      const stage = leakOf(group)
      if (stage === undefined) return []
      const mean = perCall(stage, group.total)
      return [{ group, mean, p95: stage.p95, part: group.total.mean === 0 ? 0 : mean / group.total.mean }]
    })
    .sort((a, b) => b.part - a.part)
  if (leaks.length === 0) return <p class="muted">No call has reported stages yet.</p>
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">Share of total</th>
          <th scope="col">mean</th>
          <th scope="col">p95</th>
        </tr>
      </thead>
      <tbody>
        {leaks.map(({ group, mean, p95, part }) => (
          <tr key={group.id}>
            <th scope="row">
              <Where of={group.key} />
            </th>
            <td data-label="share">
              <span class={part >= leaky ? 'meter bad' : 'meter'}>
                <i style={{ width: `${Math.min(100, part * 100)}%` }} />
              </span>
              {share(part)}
            </td>
            <td data-label="mean">{ms(mean)}</td>
            <td data-label="p95">{ms(p95)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
