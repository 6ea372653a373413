import type { Attempt, Feeds, Model, Place, RunOptions, RunResult, Session } from '../session.js'
import { exhausted, failedAttempt, mayFallBack } from './attempt.js'
import {
  checkOptions,
  type EitherPlace,
  type HybridOptions,
  type InCloudOnly,
  type OnDeviceOnly,
} from './options.js'
import { order } from './order.js'
import { reported } from './report.js'
import { disposedError, type Target, target } from './target.js'
import { within } from './within.js'

/**
 * One session over two places. Resolves once the first allowed place can run; the other one is made when it is needed. A
 * load or a run that fails goes on to the next allowed place, with the same `requestId` and what is left of the deadline. The
 * caller's abort, DEADLINE and INVALID_INPUT never do.
 *
 * @throws InferenceError INVALID_INPUT for options that the mode forbids; else what the last place threw, earlier failures in `data.attempts`
 */
export function hybrid<M extends Model = Model>(options: OnDeviceOnly<M>): Promise<Session<M, 'local'>>
export function hybrid<M extends Model = Model>(options: InCloudOnly<M>): Promise<Session<M, 'remote'>>
export function hybrid<M extends Model = Model>(options: EitherPlace<M>): Promise<Session<M>>
export async function hybrid<M extends Model>(options: HybridOptions<M>): Promise<Session<M>> {
  checkOptions(options)
  const { mode, telemetry } = options
  const targets: { readonly [P in Place]?: Target<M> } = {
    ...(mode !== 'only_in_cloud' && { local: target('local', options.local) }),
    ...(mode !== 'only_on_device' && { remote: target('remote', options.remote) }),
  }
  const candidates = (): Target<M>[] =>
    order(mode, (place) => targets[place]?.failed ?? false).flatMap((place) => targets[place] ?? [])

  const loading: Attempt[] = []
  let current = await open(candidates(), loading)
  let disposing: Promise<void> | undefined

  async function run(feeds: Feeds<M>, runOptions: RunOptions): Promise<RunResult<M>> {
    const { signal, deadlineMs } = runOptions
    signal?.throwIfAborted()
    const start = performance.now()
    const left = (): number | undefined =>
      deadlineMs === undefined ? undefined : Math.max(0, deadlineMs - (performance.now() - start))
    const requestId = runOptions.requestId ?? newRequestId()
    const attempts: Attempt[] = []
    const tried = candidates()
    for (const [index, candidate] of tried.entries()) {
      const last = index === tried.length - 1
      const attemptStart = performance.now()
      let device: string = candidate.session?.info.device ?? candidate.place
      try {
        const session = candidate.session ?? (await within(candidate.open(), signal, left()))
        device = session.info.device
        // A moved buffer would be empty for the next place: only the last one may take it.
        const transfer = last && runOptions.transfer === true
        const result = await session.run(feeds, { ...runOptions, requestId, transfer, deadlineMs: left() })
        current = session
        const durationMs = performance.now() - attemptStart
        attempts.push({ target: candidate.place, device, outcome: 'ok', durationMs, timings: result.timings })
        return { ...result, timings: { ...result.timings, total: performance.now() - start }, attempts }
      } catch (error) {
        const aborted = signal?.aborted === true
        attempts.push(
          failedAttempt(candidate.place, device, error, performance.now() - attemptStart, aborted),
        )
        if (aborted) throw signal.reason
        if (disposing) throw disposedError()
        if (last || !mayFallBack(error)) throw exhausted(error, attempts)
      }
    }
    throw disposedError()
  }

  const session: Session<M> = {
    get info() {
      const { info } = current
      return { ...info, attempts: [...loading, ...info.attempts], why: `${mode}: ${info.place}. ${info.why}` }
    },
    get inputs() {
      return current.inputs
    },
    get outputs() {
      return current.outputs
    },
    run(feeds, runOptions = {}) {
      if (disposing) return Promise.reject(disposedError())
      return reported(telemetry, current.info.model, runOptions, (joined) => run(feeds, joined))
    },
    dispose(disposeOptions) {
      disposing ??= Promise.all(candidates().map((place) => place.dispose(disposeOptions))).then(
        () => undefined,
      )
      return disposing
    },
    [Symbol.asyncDispose]: () => session.dispose(),
  }
  return session
}

/** The first place that opens; the failures before it go to `failures`. */
async function open<M extends Model>(
  targets: readonly Target<M>[],
  failures: Attempt[],
): Promise<Session<M>> {
  let last: unknown = disposedError()
  for (const candidate of targets) {
    const start = performance.now()
    try {
      return await candidate.open()
    } catch (error) {
      failures.push(failedAttempt(candidate.place, candidate.place, error, performance.now() - start, false))
      if (!mayFallBack(error)) throw error
      last = error
    }
  }
  throw exhausted(last, failures)
}

/** 32 hex digits; `crypto.randomUUID` is missing on pages without HTTPS. */
function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
