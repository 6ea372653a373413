/** A worker starts in some ten milliseconds; a script that is none of ours never does. */
const startTimeoutMs = 30_000

/** Resolves with the reason when `ready` has not come in time. Never, when the worker died before. */
export const late = (
  ready: Promise<void>,
  died: Promise<string>,
  script: string | URL | undefined,
): Promise<string> =>
  new Promise((resolve) => {
    const which = script === undefined ? 'its script' : String(script)
    const reason = `it did not answer within ${startTimeoutMs / 1000} s; check that ${which} is served and is the worker of @tandem/preprocess`
    const timer = setTimeout(() => resolve(reason), startTimeoutMs)
    const clear = (): void => clearTimeout(timer)
    void ready.then(clear)
    void died.then(clear)
  })
