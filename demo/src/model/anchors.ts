/** BlazeFace's two grids over the 128×128 input, in the order of its outputs: cells a side, anchors a cell. */
const grids = [
  { cells: 16, perCell: 2 },
  { cells: 8, perCell: 6 },
] as const

/** The anchors' centres, x and y by turns, in 0 … 1 of the input: 512 of the fine grid, then 384 of the coarse one. */
export function anchors(): Float32Array<ArrayBuffer> {
  const centres: number[] = []
  for (const { cells, perCell } of grids) {
    for (let row = 0; row < cells; row += 1) {
      for (let column = 0; column < cells; column += 1) {
        for (let i = 0; i < perCell; i += 1) centres.push((column + 0.5) / cells, (row + 0.5) / cells)
      }
    }
  }
  return Float32Array.from(centres)
}
