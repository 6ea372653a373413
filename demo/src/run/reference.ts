import type { RunResult, Tensor } from '@tandem/sdk'
import type { Task } from '../model/task.js'
import { type Choice, mayLeave } from '../places.js'

export interface Reference {
  /** What each call of a pass should give. */
  readonly calls: readonly (readonly Tensor[])[]
  readonly from: string
}

/** Who is asked for the right answer, first to last. */
const witnesses: readonly { readonly choice: Choice; readonly from: string }[] = [
  { choice: 'wasm', from: 'WASM on this device' },
  { choice: 'server', from: 'the server' },
]

/**
 * The right answer to an input, computed once by a processor that is known to compute rightly; undefined where none can. The
 * server is asked only if one of `choices` lets the input go there anyway. `run` makes one pass in a place and tells every call.
 *
 * @throws the abort's reason
 */
export async function reference(
  task: Task,
  choices: readonly Choice[],
  signal: AbortSignal,
  run: (choice: Choice, onCall: (result: RunResult) => void) => Promise<unknown>,
): Promise<Reference | undefined> {
  for (const { choice, from } of witnesses) {
    if (mayLeave(choice) && !choices.some(mayLeave)) continue
    const calls: (readonly Tensor[])[] = []
    try {
      await run(choice, (result) => calls.push(task.compared(result)))
      return { calls, from }
    } catch {
      // What is wrong with the input or the model, the run that follows tells.
      signal.throwIfAborted()
    }
  }
  return undefined
}
