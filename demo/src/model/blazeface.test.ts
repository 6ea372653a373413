import { expect, test } from 'vitest'
import { bestScore, decodeFaces, type Grids } from './blazeface.js'

const nothing = -50

function grids(): Grids {
  return {
    logits: [new Float32Array(512).fill(nothing), new Float32Array(384).fill(nothing)],
    rows: [new Float32Array(512 * 16), new Float32Array(384 * 16)],
  }
}

test('a row counts from the centre of its anchor', () => {
  const outputs = grids()
  // The second anchor of the fine grid's last cell, whose centre is at 124, 124.
  outputs.logits[0][511] = 0
  outputs.rows[0].set([-4, 2, 20, 30, 1, -1], 511 * 16)
  const [face, ...others] = decodeFaces(outputs, 0.5)
  expect(others).toEqual([])
  expect(face?.score).toBe(0.5)
  expect(face?.box).toEqual({ x: 124 - 4 - 10, y: 124 + 2 - 15, width: 20, height: 30 })
  expect(face?.points[0]).toEqual({ x: 125, y: 123 })
  expect(face?.points[5]).toEqual({ x: 124, y: 124 })
})

test('the coarse grid’s anchors follow the fine grid’s', () => {
  const outputs = grids()
  outputs.logits[1][0] = 2
  outputs.rows[1].set([0, 0, 16, 16])
  expect(decodeFaces(outputs, 0.5).map((face) => face.box)).toEqual([{ x: 0, y: 0, width: 16, height: 16 }])
})

test('anchors below the least score are left out, and still count for the best score', () => {
  const outputs = grids()
  outputs.logits[0][7] = -1
  expect(decodeFaces(outputs, 0.5)).toEqual([])
  expect(bestScore(outputs)).toBeCloseTo(1 / (1 + Math.E), 6)
})

test('a huge logit is a score of 1, not NaN', () => {
  const outputs = grids()
  outputs.logits[1][383] = 1e9
  expect(decodeFaces(outputs, 0.5)[0]?.score).toBe(1)
})
