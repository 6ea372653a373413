import type { JSX } from 'preact'
import type { Config } from '../config.js'
import type { Reachable, ServerName, State } from '../state/state.js'

const commands: { readonly [S in ServerName]: string } = {
  server: 'npx tandem serve .tandem/models --port 8000',
  collector: 'npx tandem collect --port 4318',
}

const words: { readonly [R in Reachable]: string } = {
  unknown: 'asking …',
  up: 'reachable',
  down: 'not reachable',
}

/** Whether the two servers are there, and how to start one that is not. */
export function Status({ config, health }: { config: Config; health: State['health'] }): JSX.Element {
  return (
    <div class="status" role="status" aria-label="Servers">
      {(['server', 'collector'] as const).map((name) => (
        <div
          key={name}
          class={`chip ${health[name]}`}
          data-testid={`status-${name}`}
          data-state={health[name]}
        >
          <span class="dot" aria-hidden="true" />
          <span>
            {name === 'server' ? 'Inference server' : 'Collector'} <b>{words[health[name]]}</b>
          </span>
          {health[name] === 'down' ? (
            <span class="fix">
              start it with <code>{commands[name]}</code>, or everything with <code>npm start</code>
            </span>
          ) : name === 'collector' ? (
            <a href={config.collector} target="_blank" rel="noreferrer" data-testid="dashboard">
              Open the dashboard
            </a>
          ) : (
            <span class="address">{config.server.replace(/^https?:\/\//, '')}</span>
          )}
        </div>
      ))}
    </div>
  )
}
