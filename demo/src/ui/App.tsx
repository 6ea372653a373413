import { telemetry } from '@tandem/telemetry'
import type { JSX } from 'preact'
import { useCallback, useEffect, useMemo, useReducer } from 'preact/hooks'
import type { Config } from '../config.js'
import { fromFile } from '../inputs.js'
import { tasks } from '../model/tasks.js'
import { type Choice, places } from '../places.js'
import { runner } from '../run/runner.js'
import { reduce } from '../state/reduce.js'
import { initial } from '../state/state.js'
import { watchHealth } from '../watch/health.js'
import { watchVitals } from '../watch/vitals.js'
import { Chart } from './Chart.js'
import { Controls } from './Controls.js'
import { Latency } from './Latency.js'
import { Result } from './Result.js'
import { RunBar } from './RunBar.js'
import { Status } from './Status.js'
import { Vitals } from './Vitals.js'
import { Where } from './Where.js'

export function App({ config }: { config: Config }): JSX.Element {
  const [state, dispatch] = useReducer(reduce, initial)

  const machine = useMemo(() => {
    // Every run is worth keeping here, and the console is the visitor's.
    const recorder = telemetry({
      service: 'tandem-demo',
      endpoint: `${config.collector}/v1/batch`,
      environment: 'demo',
      sample: 1,
      log: 'none',
    })
    return runner(config, recorder, dispatch)
  }, [config])

  useEffect(() => {
    const watching = new AbortController()
    watchHealth(config, watching.signal, (server, reachable) =>
      dispatch({ type: 'health', server, reachable }),
    )
    return () => watching.abort()
  }, [config])
  useEffect(() => watchVitals((name, vital) => dispatch({ type: 'vital', name, vital })), [])

  const task = tasks[state.model]
  const run = (choices: readonly Choice[]): void => {
    machine.run({ task, input: state.input, choices, runs: state.runs })
  }
  const takeFile = useCallback((file: File): void => {
    const input = fromFile(file)
    dispatch({ type: 'input', input, runs: tasks[input.model].runs })
  }, [])

  return (
    <>
      <Status config={config} health={state.health} />
      <div class="bench">
        <div class="card setup">
          <Controls state={state} dispatch={dispatch} onFile={takeFile} />
          <RunBar
            state={state}
            dispatch={dispatch}
            onRun={() => run([state.choice])}
            onRunAll={() => run(places.map((place) => place.id))}
            onStop={machine.stop}
            onClear={() => {
              machine.close()
              dispatch({ type: 'cleared' })
            }}
          />
        </div>
        <Result state={state} samplesOf={machine.samples} />
      </div>
      <div class="pair">
        <Chart state={state} />
        <Vitals vitals={state.vitals} />
      </div>
      <Latency state={state} />
      <Where state={state} />
    </>
  )
}
