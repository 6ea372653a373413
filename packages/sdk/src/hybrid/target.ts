import { InferenceError } from '../error.js'
import type { DisposeOptions, Model, Place, Session } from '../session.js'
import type { Source } from './options.js'

/** One place of a hybrid: its session, made on first use. */
export interface Target<M extends Model> {
  readonly place: Place
  /** The session once it has been made. */
  readonly session: Session<M> | undefined
  /** Whether the last try to make it failed. */
  readonly failed: boolean
  /** Makes the session, or gives the one there is; callers in between share one try. */
  open(): Promise<Session<M>>
  dispose(options?: DisposeOptions): Promise<void>
}

export function target<M extends Model, P extends Place>(place: P, source: Source<M, P>): Target<M> {
  let session: Session<M, P> | undefined
  let opening: Promise<Session<M, P>> | undefined
  let failed = false
  let disposed = false

  async function make(): Promise<Session<M, P>> {
    const made = await source()
    if (typeof made?.run !== 'function') {
      throw new InferenceError('INVALID_INPUT', `hybrid: \`${place}\` must return a session, not ${made}.`)
    }
    if (made.info.place !== place) {
      await made.dispose()
      throw new InferenceError(
        'INVALID_INPUT',
        `hybrid: \`${place}\` made a ${made.info.place} session ("${made.info.model}"); ${place === 'local' ? 'use load(…) there' : 'use remote(…) there'}.`,
      )
    }
    if (disposed) {
      await made.dispose()
      throw disposedError()
    }
    return made
  }

  return {
    place,
    get session() {
      return session
    },
    get failed() {
      return failed
    },
    open() {
      if (disposed) return Promise.reject(disposedError())
      if (session !== undefined) return Promise.resolve(session)
      opening ??= make().then(
        (made) => {
          session = made
          failed = false
          opening = undefined
          return made
        },
        (error: unknown) => {
          failed = true
          opening = undefined
          throw error
        },
      )
      return opening
    },
    async dispose(options) {
      disposed = true
      await session?.dispose(options)
    },
  }
}

export function disposedError(): InferenceError {
  return new InferenceError('DISPOSED', 'hybrid: this session was disposed; make a new one with hybrid(…).')
}
