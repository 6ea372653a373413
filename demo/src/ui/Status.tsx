import type { JSX } from 'preact'
import type { Config } from '../config.js'
import type { Reachable, ServerName, State } from '../state/state.js'

const commands: { readonly [S in ServerName]: string } = {
  server: 'npx tandem serve .tandem/models',
  collector: 'npx tandem collect',
}
const names: { readonly [S in ServerName]: string } = { server: 'Inference server', collector: 'Collector' }
const words: { readonly [R in Reachable]: string } = {
  unknown: 'asking …',
  up: 'reachable',
  down: 'not reachable',
}

/** Whether the two servers are there, and how to start one that is not: two lines each, so that nothing moves. */
export function Status({ config, health }: { config: Config; health: State['health'] }): JSX.Element {
  return (
    <section class="status" aria-label="Servers" aria-live="polite">
      {(['server', 'collector'] as const).map((name) => (
        <div
          key={name}
          class={`chip ${health[name]}`}
          data-testid={`status-${name}`}
          data-state={health[name]}
        >
          <p>
            <span class="dot" aria-hidden="true" /> {names[name]} <b>{words[health[name]]}</b>
          </p>
          <p class="hint">
            {health[name] === 'down' ? (
              <>
                Start it: <code>{commands[name]}</code>
              </>
            ) : name === 'collector' ? (
              <a href={config.collector} target="_blank" rel="noreferrer" data-testid="dashboard">
                Open its dashboard
              </a>
            ) : (
              config.server.replace(/^https?:\/\//, '')
            )}
          </p>
        </div>
      ))}
    </section>
  )
}
