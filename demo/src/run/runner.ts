import { type Preprocessor, preprocessor } from '@tandem/preprocess'
import type { Telemetry } from '@tandem/telemetry'
import type { Config } from '../config.js'
import type { Input } from '../inputs.js'
import { difference } from '../measure/difference.js'
import { recording } from '../model/speech.js'
import type { PassOptions, Task } from '../model/task.js'
import { type Choice, labelOf } from '../places.js'
import type { Event } from '../state/reduce.js'
import { abortable } from './abortable.js'
import { firsts, meter } from './meter.js'
import { noticeOf } from './notice.js'
import { type Reference, reference } from './reference.js'
import { sessions } from './sessions.js'

interface Job {
  readonly task: Task
  readonly input: Input
  readonly choices: readonly Choice[]
  /** Runs in each place. */
  readonly runs: number
}

/** Everything that computes. It tells the page through `dispatch` what happens, and holds nothing that is shown. */
export interface Runner {
  /** Runs and reports; never rejects. A job that comes while one runs is ignored. */
  run(job: Job): Promise<void>
  /** Ends the job at once; what was measured stays. */
  stop(): void
  /** A recording's samples at 16 kHz, to be drawn. */
  samples(input: Input, signal: AbortSignal): Promise<Float32Array>
  /** Closes every session, so that the next job starts with a download. */
  close(): Promise<void>
}

export function runner(config: Config, telemetry: Telemetry, dispatch: (event: Event) => void): Runner {
  const open = sessions(config, telemetry)
  const witnesses = sessions(config, undefined)
  const references = new Map<string, Reference>()
  const isFirst = firsts()
  let pool: Preprocessor | undefined
  let running: AbortController | undefined

  function pre(): Preprocessor {
    pool ??= preprocessor()
    return pool
  }

  async function referenceFor(job: Job, blob: Blob, signal: AbortSignal): Promise<Reference | undefined> {
    const key = `${job.task.model} ${job.input.id}`
    const known = references.get(key)
    if (known !== undefined) return known
    const fresh = await reference(job.task, job.choices, signal, async (choice, onCall) => {
      const session = await abortable(witnesses.open(job.task, choice), signal)
      await job.task.pass(session, blob, { pre: pre(), signal, onCall })
    })
    if (fresh !== undefined) references.set(key, fresh)
    return fresh
  }

  async function runIn(choice: Choice, job: Job, work: Work): Promise<void> {
    const { task, runs } = job
    const { blob, right, signal, progress } = work
    dispatch({ type: 'progress', job: { phase: 'opening', choice, ...progress(0, 'opening a session') } })
    const session = await abortable(open.open(task, choice), signal)
    for (let run = 0; run < runs; run += 1) {
      const tell = (part: number): void =>
        dispatch({
          type: 'progress',
          job: { phase: 'running', choice, ...progress((run + part) / runs, `run ${run + 1} of ${runs}`) },
        })
      const watch = meter(session, job, choice, isFirst, dispatch)
      const onCall: PassOptions['onCall'] = (result, index, calls, soFar) => {
        const off = right && difference(task.compared(result), right.calls[index] ?? [])
        if (watch.call(result, off, soFar) || index + 1 === calls) tell((index + 1) / calls)
      }
      try {
        const pass = await telemetry.trace(task.verb, (trace) =>
          task.pass(session, blob, { pre: pre(), signal, trace, onCall }),
        )
        dispatch({ type: 'run', log: watch.finish(pass) })
      } finally {
        watch.flush()
      }
    }
  }

  async function runAll(job: Job, signal: AbortSignal): Promise<void> {
    const blob = await abortable(job.input.bytes(), signal)
    const right = await referenceFor(job, blob, signal)
    if (right !== undefined) dispatch({ type: 'reference', from: right.from })
    for (const [index, choice] of job.choices.entries()) {
      const progress: Work['progress'] = (done, note) => ({
        progress: (index + done) / job.choices.length,
        note: `${labelOf(choice)}: ${note}`,
      })
      try {
        await runIn(choice, job, { blob, right, signal, progress })
      } catch (error) {
        signal.throwIfAborted()
        const notice = noticeOf(error)
        dispatch({ type: 'failed', failure: { model: job.task.model, choice, notice } })
        // Where one place was asked for, its failure is the answer; among several, the others go on.
        if (job.choices.length === 1) throw error
      }
    }
  }

  return {
    async run(job) {
      if (running !== undefined) return
      running = new AbortController()
      const { signal } = running
      const [choice = 'auto'] = job.choices
      const note = 'Computing the reference answer'
      dispatch({ type: 'started', job: { phase: 'reference', choice, progress: 0, note } })
      try {
        await runAll(job, signal)
        dispatch({ type: 'ended', notice: undefined })
      } catch (error) {
        const notice = signal.aborted ? ({ tone: 'info', text: 'Stopped.' } as const) : noticeOf(error)
        dispatch({ type: 'ended', notice })
      } finally {
        running = undefined
      }
    },
    stop() {
      running?.abort(new DOMException('Stopped by the visitor.', 'AbortError'))
    },
    async samples(input, signal) {
      return recording(pre(), await abortable(input.bytes(), signal), { signal })
    },
    close: open.dispose,
  }
}

/** What a job's runs in one place have in common. */
interface Work {
  readonly blob: Blob
  readonly right: Reference | undefined
  readonly signal: AbortSignal
  /** `done`: 0 … 1 of this place's part. */
  progress(done: number, note: string): { progress: number; note: string }
}
