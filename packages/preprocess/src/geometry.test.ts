import { describe, expect, test } from 'vitest'
import { identity, inverse, moved, scaled } from './geometry.js'
import { image } from './image.js'
import { imageOps } from './ops/index.js'
import { viewOf } from './pixels.js'
import type { ImageStep } from './plan.js'
import { scratch } from './scratch.js'

/** The mapping of a plan's only placing step, on a picture of this size. */
const mapping = (width: number, height: number, options: Partial<Parameters<typeof image>[0]>) => {
  const frame = {
    view: viewOf({ width, height, data: new Uint8Array(width * height * 3) }),
    orientation: 1,
    map: identity,
  }
  const step: ImageStep | undefined = image({ input: 'x', ...options }).steps[2]
  if (step?.op === 'resize') return imageOps.resize(frame, step, scratch()).map
  if (step?.op === 'crop') return imageOps.crop(frame, step, scratch()).map
  if (step?.op === 'letterbox') return imageOps.letterbox(frame, step, scratch()).map
  throw new Error('no placing step')
}

describe('toSource', () => {
  test('of a letterbox takes its inner box to the whole picture', () => {
    const toSource = inverse(mapping(640, 480, { letterbox: 128 }))
    expect(toSource({ x: 0, y: 16, width: 128, height: 96 })).toEqual({ x: 0, y: 0, width: 640, height: 480 })
    expect(toSource({ x: 64, y: 64 })).toEqual({ x: 320, y: 240 })
  })

  test('of a resize and a crop takes the crop to the middle', () => {
    const toSource = inverse(mapping(640, 480, { resize: { shortest: 240 }, crop: 200 }))
    expect(toSource({ x: 0, y: 0, width: 200, height: 200 })).toEqual({
      x: 120,
      y: 40,
      width: 400,
      height: 400,
    })
  })

  test('of a crop larger than the picture lies outside it', () => {
    expect(inverse(mapping(10, 8, { crop: 12 }))({ x: 0, y: 0 })).toEqual({ x: -1, y: -2 })
  })

  test('undoes any chain of scaling and moving', () => {
    const map = moved(scaled(moved(identity, 3, -4), 0.5, 2), 7, 9)
    const forth = { x: 11 * map.scaleX + map.offsetX, y: 13 * map.scaleY + map.offsetY }
    expect(inverse(map)(forth)).toEqual({ x: 11, y: 13 })
  })
})
