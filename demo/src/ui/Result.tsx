import type { JSX } from 'preact'
import type { Input } from '../inputs.js'
import { isWrong } from '../measure/difference.js'
import { speechSpans } from '../model/silero.js'
import type { Answer } from '../model/task.js'
import { labelOf } from '../places.js'
import type { State } from '../state/state.js'
import { count, off, percent } from './format.js'
import { Picture } from './Picture.js'
import { Wave } from './Wave.js'

interface Props {
  readonly state: State
  readonly samplesOf: (input: Input, signal: AbortSignal) => Promise<Float32Array>
}

/** The input with what was found in it, and the same in words. */
export function Result({ state, samplesOf }: Props): JSX.Element {
  const { input } = state
  const latest = state.found?.input === input.id ? state.found : undefined
  const answer = latest?.answer
  return (
    <figure class="card result">
      {input.model === 'blazeface' ? (
        <Picture input={input} faces={answer?.kind === 'faces' ? answer.faces : []} />
      ) : (
        <Wave
          input={input}
          probabilities={answer?.kind === 'speech' ? answer.probabilities : undefined}
          samplesOf={samplesOf}
        />
      )}
      <figcaption>
        <p class="caption">{input.caption}</p>
        <p class="answer" data-testid="answer" aria-live={state.job ? 'off' : 'polite'}>
          {answer && latest ? (
            <>
              {inWords(answer)}{' '}
              <span class="by">
                by {labelOf(latest.where.choice)} on {latest.where.device}
              </span>
              {isWrong(latest.difference) && (
                <span class="wrong" data-testid="answer-wrong">
                  {' '}
                  Not what the reference says: they differ by {off(latest.difference)}.
                </span>
              )}
            </>
          ) : (
            'Press Run to see what the model finds.'
          )}
        </p>
      </figcaption>
    </figure>
  )
}

function inWords(answer: Answer): string {
  if (answer.kind === 'faces') {
    const [face] = answer.faces
    if (face === undefined) return `No face: the best guess scores ${percent(answer.best)}.`
    return `${count(answer.faces.length, 'face')}, score ${face.score.toFixed(3)}.`
  }
  const spans = speechSpans(answer.probabilities)
  const peak = answer.probabilities.filter((p) => !Number.isNaN(p)).reduce((a, b) => Math.max(a, b), 0)
  if (spans.length === 0) return `No speech: at most ${percent(peak)} likely.`
  const list = spans.map(([from, to]) => `${from.toFixed(1)}–${to.toFixed(1)} s`).join(', ')
  return `Speech in ${count(spans.length, 'part')}: ${list}. Up to ${percent(peak)} likely.`
}
