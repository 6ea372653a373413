import { useEffect, useState } from 'preact/hooks'

/** What a path last answered. `error` stays beside the last good `value`, so that figures do not vanish when the line does. */
export interface Polled<T> {
  readonly value?: T
  readonly error?: string
  /** Milliseconds since 1970 of the last good answer. */
  readonly atMs?: number
}

/** Asks again `everyMs` after each answer, while the page is seen. A path of '' asks nothing; `everyMs` 0 asks once. */
export function usePoll<T>(path: string, everyMs: number): Polled<T> {
  const [state, setState] = useState<Polled<T> & { readonly path?: string }>({})
  useEffect(() => {
    if (path === '') return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      clearTimeout(timer)
      try {
        const response = await fetch(path, { signal: stop.signal })
        const body = await response.json()
        if (!response.ok) throw new Error(body.error.message)
        setState({ path, value: body, atMs: Date.now() })
      } catch (error) {
        if (stop.signal.aborted) return
        const message = error instanceof Error ? error.message : String(error)
        setState((last) => ({ ...(last.path === path ? last : {}), path, error: message }))
      }
      if (everyMs > 0 && !stop.signal.aborted && !document.hidden) timer = setTimeout(ask, everyMs)
    }
    document.addEventListener('visibilitychange', () => document.hidden || ask(), { signal: stop.signal })
    ask()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [path, everyMs])
  return state
}
