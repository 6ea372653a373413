import type { JSX } from 'preact'
import { ms, share } from './format.js'
import { type Group, perCall } from './groups.js'
import { Where } from './where.js'

/** Where the mean call's time goes: one bar a group, as long as its mean, cut into stages. */
export function Breakdown({ groups }: { groups: readonly Group[] }): JSX.Element {
  const shown = groups.filter((group) => group.stages.length > 0)
  if (shown.length === 0) return <p class="muted">No call has reported stages yet.</p>
  const longest = Math.max(...shown.map((group) => group.total.mean))
  const present = new Set(shown.flatMap((group) => group.stages.map((stage) => stage.stage)))
  // Last in every bar, so last here, whichever group brought a stage up first.
  if (present.delete('unattributed')) present.add('unattributed')
  return (
    <>
      <ul class="legend">
        {[...present].map((stage) => (
          <li key={stage}>
            <i class={`swatch ${stage}`} />
            {stage}
          </li>
        ))}
      </ul>
      <ul class="bars">
        {shown.map((group) => (
          <Bar key={group.id} group={group} longest={longest} />
        ))}
      </ul>
    </>
  )
}

function Bar({ group, longest }: { group: Group; longest: number }): JSX.Element {
  const { key, total, stages } = group
  const parts = stages.map((stage) => ({ name: stage.stage, mean: perCall(stage, total) }))
  const words = parts.map(({ name, mean }) => `${name} ${ms(mean)} (${share(mean / total.mean)})`)
  return (
    <li>
      <Where of={key} />
      <span class="track">
        <span
          class="bar"
          role="img"
          aria-label={words.join(', ')}
          style={{ width: `${(100 * total.mean) / longest}%` }}
        >
          {parts.map(({ name, mean }, i) => (
            <i key={name} class={name} title={words[i]} style={{ flexGrow: mean }} />
          ))}
        </span>
      </span>
      <span class="number">{ms(total.mean)}</span>
    </li>
  )
}
