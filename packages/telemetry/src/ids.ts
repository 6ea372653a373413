/** Fills the array with random numbers: `crypto.getRandomValues`. */
export type Random = (bytes: Uint8Array<ArrayBuffer>) => unknown

/** Ids are cut from this many random bytes at a time: asking for sixteen costs more than everything else about a span. */
const poolBytes = 4096

/** Two hex digits of every byte as they lie in memory, which in every engine is low byte first. */
const digits = /* @__PURE__ */ Uint16Array.from({ length: 256 }, (_, byte) => {
  const code = (digit: number): number => '0123456789abcdef'.charCodeAt(digit)
  return code(byte >> 4) | (code(byte & 15) << 8)
})

export interface Ids {
  /** So many random bytes as hex digits. */
  next(bytes: number): string
  /** The 32-bit number that ends `back` bytes before the end of what `next` gave last. */
  word(back: number): number
}

export function ids(random: Random): Ids {
  const bytes = new Uint8Array(poolBytes)
  const view = new DataView(bytes.buffer)
  const codes = new Uint16Array(poolBytes)
  const decoder = new TextDecoder()
  let text = ''
  let end = poolBytes
  return {
    next(count) {
      if (end + count > poolBytes) {
        random(bytes)
        for (let i = 0; i < poolBytes; i++) codes[i] = digits[bytes[i] as number] as number
        text = decoder.decode(codes)
        end = 0
      }
      const start = end
      end += count
      return text.slice(start * 2, end * 2)
    },
    word: (back) => view.getUint32(end - back - 4),
  }
}
