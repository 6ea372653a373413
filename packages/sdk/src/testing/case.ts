import type { Session } from '../session.js'
import type { DType } from '../tensor.js'
import type { TinyModel } from './models.js'

/** One promise that every session keeps. A plain function: `it(name, () => run(open))` in a test runner, or a loop in a page. */
export interface SessionCase {
  readonly name: string
  run(open: OpenSession): Promise<void>
}

/** Makes a session of a model, in the place under test. The case disposes of it. */
export type OpenSession = (model: TinyModel, options?: OpenOptions) => Promise<Session>

export interface OpenOptions {
  /** Only asked for where the sessions have a queue of their own. */
  readonly maxQueue?: number | undefined
}

/** What a place can and can't. */
export interface CaseOptions {
  /** Largest difference of a float32; 1e-4 by default. */
  readonly tolerance?: number | undefined
  /** dtypes that reach the model; all by default. */
  readonly dtypes?: readonly DType[] | undefined
  /** One call at a time behind a queue of our own, with maxQueue and priority. True by default; false for `remote()`. */
  readonly queue?: boolean | undefined
  /** `transfer: true` detaches the caller's buffers. True by default; false where nothing is moved. */
  readonly moves?: boolean | undefined
  /** A run blocks this very thread, so that no timer fires meanwhile. False by default. */
  readonly blocks?: boolean | undefined
  /** Products of {@link slow}, which should take some tenths of a second; 64 by default, fewer on slow devices. */
  readonly slowLayers?: number | undefined
}

export type CaseSettings = { readonly [Name in keyof CaseOptions]-?: NonNullable<CaseOptions[Name]> }

/** Opens a model, hands its session over, and disposes of it in the end. */
export async function using(
  open: OpenSession,
  model: TinyModel,
  body: (session: Session) => Promise<void>,
  options: OpenOptions = {},
): Promise<void> {
  const session = await open(model, options)
  try {
    await body(session)
  } finally {
    await session.dispose()
  }
}
