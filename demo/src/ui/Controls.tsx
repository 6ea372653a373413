import type { JSX } from 'preact'
import { samplesOf } from '../inputs.js'
import type { ModelName } from '../model/task.js'
import { tasks } from '../model/tasks.js'
import { places } from '../places.js'
import type { Event } from '../state/reduce.js'
import type { State } from '../state/state.js'
import { Drop } from './Drop.js'

interface Props {
  readonly state: State
  readonly dispatch: (event: Event) => void
  readonly onFile: (file: File) => void
}

/** The three choices: a model, an input, a place. They are locked while a job runs. */
export function Controls({ state, dispatch, onFile }: Props): JSX.Element {
  const samples = samplesOf(state.model)
  const own = samples.every((sample) => sample.id !== state.input.id)
  return (
    <fieldset class="controls" disabled={state.job !== undefined}>
      <legend class="hidden">What to run, on what, and where</legend>
      <fieldset class="choice">
        <legend>1 · Model</legend>
        <div class="options two">
          {(Object.keys(tasks) as ModelName[]).map((name) => (
            <label key={name} class="option">
              <input
                type="radio"
                name="model"
                checked={state.model === name}
                data-testid={`model-${name}`}
                onChange={() => dispatch({ type: 'model', model: name, runs: tasks[name].runs })}
              />
              <span class="label">{tasks[name].title}</span>
              <span class="hint">{tasks[name].about}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset class="choice">
        <legend>2 · Input</legend>
        <div class="options two">
          {samples.map((sample) => (
            <label key={sample.id} class="option">
              <input
                type="radio"
                name="input"
                checked={state.input.id === sample.id}
                data-testid={`input-${sample.name.toLowerCase()}`}
                onChange={() => dispatch({ type: 'input', input: sample, runs: state.runs })}
              />
              <span class="label">{sample.name}</span>
              <span class="hint">{state.model === 'blazeface' ? 'drawn by code' : 'synthesised'}</span>
            </label>
          ))}
        </div>
        <Drop
          accept={tasks[state.model].accept}
          chosen={own ? state.input.name : undefined}
          locked={state.job !== undefined}
          onFile={onFile}
        />
      </fieldset>
      <fieldset class="choice">
        <legend>3 · Where</legend>
        <div class="options four">
          {places.map((place) => (
            <label key={place.id} class={`option ${place.kind}`}>
              <input
                type="radio"
                name="place"
                checked={state.choice === place.id}
                data-testid={`place-${place.id}`}
                onChange={() => dispatch({ type: 'choice', choice: place.id })}
              />
              <span class="label">{place.label}</span>
              <span class="hint">{place.hint}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </fieldset>
  )
}
