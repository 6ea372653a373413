/** A queue of fixed size in an array made once: the oldest gives way. */
export interface Ring<T> {
  /** Returns whether the oldest had to give way. */
  push(item: T): boolean
  /** Takes up to `most` of the oldest. */
  take(most: number): T[]
  size(): number
}

export function ring<T>(capacity: number): Ring<T> {
  const slots: (T | undefined)[] = new Array(capacity).fill(undefined)
  let first = 0
  let size = 0
  return {
    push(item) {
      const end = first + size
      slots[end < capacity ? end : end - capacity] = item
      if (size < capacity) {
        size++
        return false
      }
      first = first + 1 === capacity ? 0 : first + 1
      return true
    },
    take(most) {
      const taken: T[] = []
      for (; size > 0 && taken.length < most; size--) {
        taken.push(slots[first] as T)
        slots[first] = undefined
        first = first + 1 === capacity ? 0 : first + 1
      }
      return taken
    },
    size: () => size,
  }
}
