import type { RunResult, Session } from '@tandem/sdk'
import type { Input } from '../inputs.js'
import { callOf } from '../measure/call.js'
import type { Answer, Pass, Task } from '../model/task.js'
import type { Choice } from '../places.js'
import type { Event } from '../state/reduce.js'
import type { Call, Opened, RunLog, Where } from '../state/state.js'
import { batcher } from './batcher.js'

/** Watches the calls of one pass and tells the page, in batches, where each one ran and how long it took. */
export interface Meter {
  /** True when the page was told. `soFar` gives what the pass has found until now. */
  call(result: RunResult, difference: number | undefined, soFar?: () => Answer): boolean
  /** Tells what is left; after the last call, also when the pass failed. */
  flush(): void
  /** The pass's line in the log. */
  finish(pass: Pass): Omit<RunLog, 'number'>
}

/** Which first calls have been made already: a session's first one on each device counts apart. */
export type Firsts = (session: Session, event: string) => boolean

export function firsts(): Firsts {
  const seen = new WeakMap<Session, Set<string>>()
  return (session, event) => {
    const events = seen.get(session) ?? new Set<string>()
    seen.set(session, events)
    return events.size < events.add(event).size
  }
}

export function meter(
  session: Session,
  { task, input }: { readonly task: Task; readonly input: Input },
  choice: Choice,
  isFirst: Firsts,
  dispatch: (event: Event) => void,
): Meter {
  const start = performance.now()
  let where: Where = { model: task.model, choice, place: session.info.place, device: session.info.device }
  let last: RunResult | undefined
  let count = 0
  let worst: number | undefined
  const tell = (calls: readonly Call[]): void =>
    dispatch({ type: 'calls', opened: opened(session, where), calls })
  const batch = batcher<Call>(tell)
  const show = (answer: Answer): void =>
    dispatch({ type: 'answer', found: { answer, input: input.id, where, difference: worst } })

  return {
    call(result, difference, soFar) {
      const device = result.attempts.at(-1)?.device ?? session.info.device
      // A hybrid session may change places within a pass: what was measured so far belongs to the place before.
      if (device !== where.device || result.place !== where.place) batch.flush()
      where = { ...where, place: result.place, device }
      last = result
      count += 1
      if (difference !== undefined) worst = Math.max(worst ?? 0, difference)
      const told = batch.add({ ...callOf(result.timings, isFirst(session, device)), difference })
      if (told && soFar) show(soFar())
      return told
    },
    flush: batch.flush,
    finish({ answer, preprocessMs: preprocess, postprocessMs: postprocess }) {
      batch.flush()
      show(answer)
      tell([
        { first: isFirst(session, `preparing for ${where.device}`), series: { preprocess, postprocess } },
      ])
      return {
        ...where,
        input: input.name,
        ms: performance.now() - start,
        calls: count,
        difference: worst,
        why: session.info.why,
        attempts: last?.attempts ?? [],
      }
    },
  }
}

function opened(session: Session, where: Where): Opened {
  const { why, attempts, load, runtime, threads } = session.info
  return {
    ...where,
    why,
    attempts,
    runtime,
    downloadMs: load.downloadMs,
    createMs: load.createMs,
    threads: threads && `${threads.actual} of ${threads.requested}: ${threads.reason}`,
  }
}
