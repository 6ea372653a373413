import { expect, test } from 'vitest'
import { anchors } from './anchors.js'

test('there is one anchor for each of the model’s 512 + 384 rows', () => {
  expect(anchors()).toHaveLength(2 * (512 + 384))
})

test('the fine grid comes first, two anchors a cell, then the coarse one with six', () => {
  const centres = anchors()
  const at = (index: number): [number | undefined, number | undefined] => [
    centres[2 * index],
    centres[2 * index + 1],
  ]
  expect(at(0)).toEqual([0.5 / 16, 0.5 / 16])
  expect(at(1)).toEqual(at(0))
  expect(at(2)).toEqual([1.5 / 16, 0.5 / 16])
  expect(at(511)).toEqual([15.5 / 16, 15.5 / 16])
  expect(at(512)).toEqual([0.5 / 8, 0.5 / 8])
  expect(at(517)).toEqual(at(512))
  expect(at(895)).toEqual([7.5 / 8, 7.5 / 8])
})
