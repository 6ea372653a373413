import { InferenceError } from './error.js'
import type { Model, Outputs, RunResult } from './session.js'

/**
 * One output of a run, by name.
 *
 * @throws InferenceError INVALID_INPUT, naming the outputs there are
 */
export function output<M extends Model, Name extends keyof M['outputs'] & string>(
  result: Pick<RunResult<M>, 'outputs'>,
  name: Name,
): Outputs<M>[Name] {
  if (Object.hasOwn(result.outputs, name)) return result.outputs[name]
  const names = Object.keys(result.outputs).map((known) => JSON.stringify(known))
  throw new InferenceError(
    'INVALID_INPUT',
    `There is no output ${JSON.stringify(name)}; this run gave ${names.join(', ') || 'none'}.`,
    { data: { path: name } },
  )
}
