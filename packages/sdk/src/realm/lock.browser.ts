/**
 * A worker's death by `close()` or a crash is silent. A Web Lock is not: the browser frees it, and whoever waits for it gets it.
 * Needs a secure context; without one only errors are noticed.
 */
export async function holdLock(name: string): Promise<void> {
  if (navigator.locks === undefined) return
  await new Promise<void>((held) => {
    // Held for as long as the worker lives.
    void navigator.locks.request(name, () => {
      held()
      return new Promise(() => {})
    })
  })
}

/** Calls back when the holder is gone. Ask only after it holds the lock. */
export function onLockFreed(name: string, signal: AbortSignal, freed: () => void): void {
  navigator.locks?.request(name, { signal }, freed).catch(() => {
    // Aborted: the realm was closed on purpose.
  })
}
