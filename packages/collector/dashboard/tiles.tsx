import type { JSX } from 'preact'
import type { LedgerAnswer } from '../src/ledgers.js'
import { count, ms, share } from './format.js'
import { type Group, leakOf, whatOf, whereOf } from './groups.js'
import { lostOf } from './ledger.js'

/** The four figures to look at first. */
export function Tiles({
  groups,
  ledger,
}: {
  groups: readonly Group[]
  ledger: LedgerAnswer | undefined
}): JSX.Element {
  const calls = groups.reduce((sum, { total }) => sum + total.count, 0)
  const slowest = groups.reduce<Group | undefined>(
    (worst, group) => (worst === undefined || group.total.p95 > worst.total.p95 ? group : worst),
    undefined,
  )
  const staged = groups.filter((group) => group.stages.length > 0)
  const whole = staged.reduce((sum, { total }) => sum + total.mean * total.count, 0)
  const leaked = staged.reduce((sum, group) => {
    const leak = leakOf(group)
    return leak === undefined ? sum : sum + leak.mean * leak.count
  }, 0)
  const lost = lostOf(ledger)
  return (
    <dl class="tiles">
      <Tile name="Spans measured" value={count(calls)} about={`in ${groups.length} kinds of call`} />
      <Tile
        name="Slowest p95"
        value={ms(slowest?.total.p95)}
        about={slowest === undefined ? '' : `${whatOf(slowest.key)} · ${whereOf(slowest.key)}`}
      />
      <Tile name="Unexplained time" value={share(leaked / whole)} about="of all calls with stages" />
      <Tile
        name="Spans lost"
        value={count(lost)}
        about={lost === 0 ? 'every span is accounted for' : 'by reason in the drop ledger'}
        bad={lost > 0}
      />
    </dl>
  )
}

function Tile(props: { name: string; value: string; about: string; bad?: boolean }): JSX.Element {
  return (
    <div class="card">
      <dt>{props.name}</dt>
      <dd class={props.bad ? 'value bad' : 'value'}>{props.value}</dd>
      <dd class="muted">{props.about}</dd>
    </div>
  )
}
