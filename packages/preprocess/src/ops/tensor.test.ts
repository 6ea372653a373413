import { fromFloat16 } from '@tandem/sdk/float16'
import { describe, expect, test } from 'vitest'
import { image } from '../image.js'
import { viewOf } from '../pixels.js'
import { toTensor } from './tensor.js'

const pixels = { width: 2, height: 1, data: Uint8Array.of(0, 128, 255, 10, 20, 30) }
const of = (options: Partial<Parameters<typeof image>[0]>) =>
  toTensor(viewOf(pixels), image({ input: 'x', ...options }).tensor)
const raw = { scale: 1 }

describe('toTensor', () => {
  test('lays out as planes or as pixels, in either order of colours', () => {
    expect(of(raw)).toMatchObject({ shape: [1, 3, 1, 2], data: Float32Array.of(0, 10, 128, 20, 255, 30) })
    expect(of({ ...raw, channels: 'BGR' }).data).toEqual(Float32Array.of(255, 30, 128, 20, 0, 10))
    expect(of({ ...raw, layout: 'NHWC' })).toMatchObject({
      shape: [1, 1, 2, 3],
      data: Float32Array.from(pixels.data),
    })
    expect(of({ ...raw, layout: 'NHWC', channels: 'BGR' }).data).toEqual(
      Float32Array.of(255, 128, 0, 30, 20, 10),
    )
  })

  test('normalises each colour with its own numbers, in BGR too', () => {
    const { data } = of({ channels: 'BGR', layout: 'NHWC', mean: [0.1, 0.2, 0.3], std: [1, 2, 4] })
    expect(data[0]).toBeCloseTo((255 / 255 - 0.3) / 4, 6)
    expect(data[2]).toBeCloseTo((0 - 0.1) / 1, 6)
  })

  test('rounds to float32 at each step, as torch does: ToTensor, then Normalize', () => {
    const [mean, std] = [0.485, 0.229]
    for (let value = 0; value < 256; value++) {
      const torch = Math.fround(Math.fround(Math.fround(value / 255) - Math.fround(mean)) / Math.fround(std))
      const one = { width: 1, height: 1, data: new Uint8Array(3).fill(value) }
      expect(toTensor(viewOf(one), image({ input: 'x', mean, std }).tensor).data[0]).toBe(torch)
    }
  })

  test('BlazeFace: v / 127.5 − 1', () => {
    const { data } = of({ layout: 'NHWC', scale: 1 / 127.5, mean: 1 })
    Array.from(pixels.data).forEach((value, i) => {
      expect(data[i]).toBeCloseTo(value / 127.5 - 1, 6)
    })
  })

  test('uint8 keeps the pixels, float16 their bits', () => {
    expect(of({ dtype: 'uint8', layout: 'NHWC' })).toMatchObject({ dtype: 'uint8', data: pixels.data })
    const half = of({ dtype: 'float16', layout: 'NHWC' })
    if (half.dtype !== 'float16') throw new Error(half.dtype)
    expect(fromFloat16(half.data)[1]).toBeCloseTo(128 / 255, 3)
  })

  test('grey pixels are all three colours', () => {
    const grey = viewOf({ width: 2, height: 1, data: Uint8Array.of(7, 9) })
    expect(toTensor(grey, image({ input: 'x', scale: 1 }).tensor).data).toEqual(
      Float32Array.of(7, 9, 7, 9, 7, 9),
    )
  })
})
