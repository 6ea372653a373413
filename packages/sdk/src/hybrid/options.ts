import type { Recorder } from '@tandem/telemetry'
import { InferenceError } from '../error.js'
import type { Model, Place, Session } from '../session.js'

export const modes = ['prefer_on_device', 'only_on_device', 'prefer_in_cloud', 'only_in_cloud'] as const

/** Where calls may go, and where first. Firebase's words; `only_on_device` never constructs the remote side. */
export type Mode = (typeof modes)[number]

/** Makes a session when it is first needed, at most once at a time. */
export type Source<M extends Model, P extends Place> = () => Promise<Session<M, P>> | Session<M, P>

interface Common {
  /** Takes one span a call, `hybrid`, parent of those of the places tried. Without it, the recorder of a call's `trace` does. */
  readonly telemetry?: Recorder | undefined
}

/** Both places allowed. The one that is not preferred is made when the preferred one fails. */
export interface EitherPlace<M extends Model> extends Common {
  readonly mode: 'prefer_on_device' | 'prefer_in_cloud'
  readonly local: Source<M, 'local'>
  readonly remote: Source<M, 'remote'>
}

/** Nothing may leave the device: there is no `remote` to give, and `local` must make a local session. */
export interface OnDeviceOnly<M extends Model> extends Common {
  readonly mode: 'only_on_device'
  readonly local: Source<M, 'local'>
  readonly remote?: undefined
}

/** Everything goes to the server; a `local` that is given is never called. */
export interface InCloudOnly<M extends Model> extends Common {
  readonly mode: 'only_in_cloud'
  readonly local?: Source<M, 'local'> | undefined
  readonly remote: Source<M, 'remote'>
}

export type HybridOptions<M extends Model> = EitherPlace<M> | OnDeviceOnly<M> | InCloudOnly<M>

/** The same rules at run time, for callers without types. @throws InferenceError INVALID_INPUT */
export function checkOptions<M extends Model>(options: HybridOptions<M>): void {
  const given: { mode?: unknown; local?: unknown; remote?: unknown } = options
  if (!modes.some((mode) => mode === given.mode)) {
    throw new InferenceError(
      'INVALID_INPUT',
      `hybrid: unknown mode ${JSON.stringify(given.mode)}; use one of ${modes.join(', ')}.`,
    )
  }
  if (given.mode === 'only_on_device' && given.remote !== undefined) {
    throw new InferenceError(
      'INVALID_INPUT',
      'hybrid: mode only_on_device takes no remote, so that nothing can leave the device; remove `remote` or choose another mode.',
    )
  }
  const needed = { local: given.mode !== 'only_in_cloud', remote: given.mode !== 'only_on_device' }
  for (const place of ['local', 'remote'] as const) {
    const source = given[place]
    if (source === undefined ? needed[place] : typeof source !== 'function') {
      throw new InferenceError(
        'INVALID_INPUT',
        `hybrid: mode ${String(given.mode)} needs \`${place}\`, a function that makes the session, e.g. ${place}: () => ${place === 'local' ? 'load(url)' : 'remote(url)'}.`,
      )
    }
  }
}
