const maxHoles = 256

/** Which of 0, 1, 2 … have come. Keeps the highest and the holes below it, so it stays small however many there were. */
export interface Seqs {
  has(seq: number): boolean
  add(seq: number): void
  /** How many between the lowest and the highest never came. */
  gaps(): number
}

export function seqs(): Seqs {
  let lowest = Number.POSITIVE_INFINITY
  let highest = -1
  /** Holes [from, to], ascending. The oldest are forgotten beyond the bound: then they count as lost for good. */
  let holes: (readonly [number, number])[] = []
  let forgotten = 0

  return {
    has: (seq) => seq >= lowest && seq <= highest && !holes.some(([from, to]) => seq >= from && seq <= to),
    add(seq) {
      if (highest < 0) {
        lowest = seq
        highest = seq
      } else if (seq > highest) {
        if (seq > highest + 1) hole(holes.length, 0, [highest + 1, seq - 1])
        highest = seq
      } else if (seq < lowest) {
        // A recorder's first batches may overtake each other on the way.
        if (seq < lowest - 1) hole(0, 0, [seq + 1, lowest - 1])
        lowest = seq
      } else {
        const at = holes.findIndex(([from, to]) => seq >= from && seq <= to)
        const [from, to] = holes[at] ?? [0, -1]
        const left: [number, number][] = []
        if (from < seq) left.push([from, seq - 1])
        if (seq < to) left.push([seq + 1, to])
        if (at >= 0) hole(at, 1, ...left)
      }
    },
    gaps: () => holes.reduce((sum, [from, to]) => sum + to - from + 1, forgotten),
  }

  function hole(at: number, remove: number, ...added: [number, number][]): void {
    holes = holes.toSpliced(at, remove, ...added)
    const [oldest] = holes
    if (holes.length <= maxHoles || oldest === undefined) return
    forgotten += oldest[1] - oldest[0] + 1
    holes = holes.slice(1)
  }
}
