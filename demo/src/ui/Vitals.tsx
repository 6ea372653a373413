import type { JSX } from 'preact'
import { type State, type VitalName, vitalNames } from '../state/state.js'

const meanings: { readonly [V in VitalName]: string } = {
  LCP: 'largest paint',
  INP: 'slowest reaction to input',
  CLS: 'layout shift',
  FCP: 'first paint',
  TTFB: 'first byte',
}

/** The page's own web vitals, live: running a model must not spoil them. */
export function Vitals({ vitals }: { vitals: State['vitals'] }): JSX.Element {
  return (
    <section class="card vitals" aria-labelledby="vitals-title">
      <h2 id="vitals-title">This page’s web vitals</h2>
      <dl>
        {vitalNames.map((name) => {
          const vital = vitals[name]
          return (
            <div
              key={name}
              class={vital?.rating ?? 'none'}
              data-testid={`vital-${name}`}
              data-rating={vital?.rating}
            >
              <dt>
                {name} <span class="hint">{meanings[name]}</span>
              </dt>
              <dd>
                {vital === undefined
                  ? '–'
                  : name === 'CLS'
                    ? vital.value.toFixed(3)
                    : `${Math.round(vital.value)} ms`}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
