import type { RunResult, Tensor } from '@tandem/sdk'
import type { Task } from '../model/task.js'
import type { Choice } from '../places.js'

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
 * The right answer to an input, computed once by a processor that is known to compute rightly. `run` makes one pass in a place and tells every call.
 *
 * @throws what the last witness threw, or the abort's reason
 */
export async function reference(
  task: Task,
  signal: AbortSignal,
  run: (choice: Choice, onCall: (result: RunResult) => void) => Promise<unknown>,
): Promise<Reference> {
  let failure: unknown
  for (const { choice, from } of witnesses) {
    try {
      const calls: (readonly Tensor[])[] = []
      await run(choice, (result) => calls.push(task.compared(result)))
      return { calls, from }
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}
