/** How often the page is told while many short calls run. */
const intervalMs = 100

export interface Batcher<T> {
  /** Keeps `item`; true when it went out with those before it, because it was time. */
  add(item: T): boolean
  flush(): void
}

/** Hands items on in batches, at most every 100 ms unless flushed. */
export function batcher<T>(
  send: (items: readonly T[]) => void,
  now: () => number = () => performance.now(),
): Batcher<T> {
  let items: T[] = []
  let sent = now()
  function flush(): void {
    sent = now()
    if (items.length === 0) return
    const batch = items
    items = []
    send(batch)
  }
  return {
    add(item) {
      items.push(item)
      const due = now() - sent >= intervalMs
      if (due) flush()
      return due
    },
    flush,
  }
}
