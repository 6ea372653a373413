/** Buffers to copy feeds into. Touching fresh memory costs far more than copying, so the same few go back and forth. */
export interface Pool {
  /** At least `bytes` long; what is in it is left over. */
  take(bytes: number): ArrayBuffer
  give(buffers: readonly ArrayBuffer[]): void
}

/** What an idle realm keeps at most. */
const keepBytes = 64 * 2 ** 20

export function pool(): Pool {
  const free = new Map<number, ArrayBuffer[]>()
  let kept = 0
  return {
    take(bytes) {
      const size = roundUp(bytes)
      const buffer = free.get(size)?.pop()
      if (buffer === undefined) return new ArrayBuffer(size)
      kept -= size
      return buffer
    },
    give(buffers) {
      for (const buffer of buffers) {
        const size = buffer.byteLength
        if (size === 0 || kept + size > keepBytes) continue
        kept += size
        const shelf = free.get(size)
        if (shelf === undefined) free.set(size, [buffer])
        else shelf.push(buffer)
      }
    },
  }
}

/** To an eighth of the next power of two, so that inputs of varying length share buffers and little is wasted. */
function roundUp(bytes: number): number {
  const step = Math.max(4096, 2 ** Math.ceil(Math.log2(bytes)) / 8)
  return Math.ceil(bytes / step) * step
}
