/** Fills the array with random numbers: `crypto.getRandomValues`. */
export type Random = (words: Uint32Array<ArrayBuffer>) => unknown

/** Random numbers are asked for by the kilobyte: one call per id would cost fifty times as much as the id. */
const poolWords = 256

/** The next 32 random bits. */
export function pool(random: Random): () => number {
  const words = new Uint32Array(poolWords)
  let next = poolWords
  return () => {
    if (next === poolWords) {
      random(words)
      next = 0
    }
    return words[next++] as number
  }
}

const byteHex: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

/** 32 bits as eight hex digits. */
export function hex32(word: number): string {
  return (
    (byteHex[word >>> 24] as string) +
    (byteHex[(word >>> 16) & 255] as string) +
    (byteHex[(word >>> 8) & 255] as string) +
    (byteHex[word & 255] as string)
  )
}
