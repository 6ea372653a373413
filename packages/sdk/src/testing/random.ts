/** Seeded numbers in [-1, 1): the same everywhere (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  }
}

export function randomFloats(count: number, seed: number, scale = 1): Float32Array {
  const next = random(seed)
  return Float32Array.from({ length: count }, () => next() * scale)
}
