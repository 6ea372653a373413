import type { Tensor } from '@tandem/sdk'
import { InferenceError } from '@tandem/sdk/error'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { audio } from './audio.js'
import { image } from './image.js'
import type { ImagePlan } from './plan.js'
import type { ImageResult } from './preprocessor.js'

const refused = (make: () => unknown): InferenceError => {
  try {
    make()
  } catch (error) {
    if (InferenceError.is(error, 'INVALID_INPUT')) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('image()', () => {
  test('is plain data: it survives JSON and structured clone', () => {
    const plan = image({ input: 'x', resize: { shortest: 256 }, crop: 224, mean: [0.5, 0.4, 0.3], std: 0.2 })
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
    expect(structuredClone(plan)).toEqual(plan)
  })

  test('orients and composites first, and crops within the resize', () => {
    const plan = image({ input: 'x', resize: { shortest: 256, filter: 'bicubic' }, crop: 224, background: 0 })
    expect(plan.steps).toEqual([
      { op: 'orient' },
      { op: 'composite', background: [0, 0, 0] },
      { op: 'resize', to: { shortest: 256 }, filter: 'bicubic', crop: { width: 224, height: 224 } },
    ])
  })

  test('says float32, NCHW and RGB in 0 to 1 unless told otherwise', () => {
    const { dtype, layout, channels, scale, mean, std } = image({ input: 'x' }).tensor
    expect({ dtype, layout, channels, scale, mean, std }).toEqual({
      dtype: 'float32',
      layout: 'NCHW',
      channels: 'RGB',
      scale: 1 / 255,
      mean: [0, 0, 0],
      std: [1, 1, 1],
    })
    expect(image({ input: 'x', dtype: 'uint8' }).tensor.scale).toBe(1)
  })

  test('carries the input name and dtype in its type', () => {
    const plan = image({ input: 'pixels', dtype: 'uint8' })
    expectTypeOf(plan).toEqualTypeOf<ImagePlan<'pixels', 'uint8'>>()
    expectTypeOf<ImageResult<'pixels', 'uint8'>['feeds']['pixels']>().toEqualTypeOf<Tensor<'uint8'>>()
    expectTypeOf(image({ input: 'x' })).toEqualTypeOf<ImagePlan<'x', 'float32'>>()
  })

  test.each([
    ['no name', { input: '' }, 'image().input'],
    ['a misspelt option', { input: 'x', reszie: 224 }, 'reszie'],
    ['a size of 0', { input: 'x', resize: 0 }, 'image().resize'],
    ['half a pixel', { input: 'x', crop: 224.5 }, 'image().crop'],
    ['a missing side', { input: 'x', resize: { width: 10 } }, 'image().resize.height'],
    ['an unknown filter', { input: 'x', resize: { shortest: 10, filter: 'cubic' } }, 'bicubic'],
    ['an unknown layout', { input: 'x', layout: 'CHW' }, 'NCHW'],
    ['two means', { input: 'x', mean: [1, 2] }, 'image().mean'],
    ['a mean that is no number', { input: 'x', mean: [1, 2, Number.NaN] }, 'image().mean'],
    ['a std of 0', { input: 'x', std: [1, 0, 1] }, 'image().std'],
    ['a background beyond 255', { input: 'x', background: [0, 0, 256] }, 'image().background'],
    ['letterbox and crop', { input: 'x', letterbox: 128, crop: 10 }, 'image().letterbox'],
    ['a mean for 0 to 255 beside pixels of 0 to 1', { input: 'x', mean: 127.5, std: 127.5 }, 'scale: 1'],
    ['a std that float32 rounds to 0', { input: 'x', std: 1e-50 }, 'float32 cannot hold'],
    ['values beyond float16', { input: 'x', dtype: 'float16', scale: 1000 }, 'float16 cannot hold'],
    ['bytes that are normalised', { input: 'x', dtype: 'uint8', scale: 1 / 255 }, 'uint8'],
    ['an unknown dtype', { input: 'x', dtype: 'fp32' }, 'float32'],
    ['a plan that is a string', 'x', 'image()'],
  ])('refuses %s', (_, options, named) => {
    expect(refused(() => image(options as Parameters<typeof image>[0])).message).toContain(named)
  })
})

describe('audio()', () => {
  test('mixes, then resamples', () => {
    expect(audio({ input: 'x', sampleRate: 16_000 }).steps).toEqual([
      { op: 'mix' },
      { op: 'resample', sampleRate: 16_000 },
    ])
    expect(audio({ input: 'x', sampleRate: 16_000, mono: false }).steps).toHaveLength(1)
  })

  test.each([
    ['no rate', { input: 'x' }, 'audio().sampleRate'],
    ['kilohertz', { input: 'x', sampleRate: 16 }, 'audio().sampleRate'],
    ['a misspelt option', { input: 'x', samplerate: 16_000 }, 'samplerate'],
    ['mono that is a number', { input: 'x', sampleRate: 16_000, mono: 1 }, 'audio().mono'],
  ])('refuses %s', (_, options, named) => {
    expect(refused(() => audio(options as Parameters<typeof audio>[0])).message).toContain(named)
  })
})
