/// <reference lib="esnext.disposable" preserve="true" />
import { InferenceError, type Session } from '@tandem/sdk'
import { Refusal, retryLater } from './refusal.js'

/** A model to be served. */
export interface ServedModel {
  readonly name: string
  /** A positive whole number in digits; the highest that is ready answers where a request names none. */
  readonly version: string
  /** @throws an error whose message says why the model stays out */
  load(options: { readonly signal: AbortSignal }): Promise<Session>
}

/** What has become of a model. */
export interface ModelState {
  readonly name: string
  readonly version: string
  readonly state: 'LOADING' | 'READY' | 'UNAVAILABLE'
  /** Why it is not available. */
  readonly reason?: string | undefined
  readonly session?: Session | undefined
}

export type ReadyModel = ModelState & { readonly session: Session }

/** The models of a server and how far each has come. */
export interface Models extends AsyncDisposable {
  /** Settles when each is ready or left out. */
  readonly loaded: Promise<readonly ModelState[]>
  list(): readonly ModelState[]
  /** The versions of a model, lowest first; none if it is unknown. */
  versions(name: string): readonly ModelState[]
  /**
   * The model that answers.
   * @throws InferenceError MODEL_NOT_FOUND; Refusal 503 while it loads
   */
  ready(name: string, version: string | undefined): ReadyModel
}

/** Loads all of `served` side by side. */
export function loadModels(served: readonly ServedModel[], log: (line: string) => void): Models {
  /** In the order of `served`, so that two of one name and version don't hide each other. */
  const states: ModelState[] = []
  // One for each: a signal warns when many listen.
  const endings = new Set<AbortController>()
  let ended = false

  async function load(model: ServedModel, index: number): Promise<void> {
    const { name, version } = model
    const set = (state: Omit<ModelState, 'name' | 'version'>): void => {
      states[index] = { name, version, ...state }
    }
    set({ state: 'LOADING' })
    const ending = new AbortController()
    endings.add(ending)
    try {
      const session = await model.load({ signal: ending.signal })
      if (ended) return await session.dispose({ reclaim: true })
      set({ state: 'READY', session })
      log(`${name} version ${version} is ready on ${session.info.device}`)
    } catch (error) {
      if (ended) return
      const reason = error instanceof Error ? error.message : String(error)
      set({ state: 'UNAVAILABLE', reason })
      log(`${name} version ${version} is left out: ${reason}`)
    } finally {
      endings.delete(ending)
    }
  }

  const loaded = Promise.all(served.map(load)).then(() => [...states])

  const versions = (name: string): ModelState[] =>
    states.filter((state) => state.name === name).sort((a, b) => Number(a.version) - Number(b.version))

  return {
    loaded,
    list: () => [...states],
    versions,
    ready(name, version) {
      const all = versions(name)
      const candidates = version === undefined ? all : all.filter((state) => state.version === version)
      const ready = candidates.findLast((state): state is ReadyModel => state.session !== undefined)
      if (ready !== undefined) return ready
      if (candidates.some(({ state }) => state === 'LOADING')) {
        throw new Refusal(
          503,
          'LOADING',
          `Request for model: '${name}' is not at ready state: it loads`,
          retryLater,
        )
      }
      throw notFound(name, version, all, candidates.at(-1)?.reason)
    },
    async [Symbol.asyncDispose]() {
      ended = true
      for (const ending of endings) ending.abort()
      await loaded
      const sessions = states.flatMap(({ session }) => session ?? [])
      states.length = 0
      await Promise.all(sessions.map((session) => session.dispose({ reclaim: true })))
    },
  }
}

function notFound(
  name: string,
  version: string | undefined,
  all: readonly ModelState[],
  reason: string | undefined,
): InferenceError {
  const text =
    all.length === 0
      ? 'is not found; GET /v2/models lists what there is'
      : reason !== undefined
        ? `has no available versions: ${reason}`
        : `version ${version} is not found; there is ${all.map((state) => state.version).join(', ')}`
  return new InferenceError('MODEL_NOT_FOUND', `Request for unknown model: '${name}' ${text}`)
}
