import { expect, it } from 'vitest'
import { fromFloat16, fromFloat16Bits, toFloat16, toFloat16Bits } from './float16.js'

it('every float16 there is comes back from its number', () => {
  for (let bits = 0; bits < 0x10000; bits++) {
    const value = fromFloat16Bits(bits)
    if (Number.isNaN(value)) expect((bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0).toBe(true)
    else if (toFloat16Bits(value) !== bits) expect.fail(`${bits} became ${toFloat16Bits(value)}`)
  }
})

it('rounds a number once to the nearest, ties to even', () => {
  // Between two neighbours: below, at and above the middle.
  for (let bits = 0; bits < 0x7bff; bits++) {
    const [low, high] = [fromFloat16Bits(bits), fromFloat16Bits(bits + 1)]
    const middle = (low + high) / 2
    const even = bits % 2 === 0 ? bits : bits + 1
    if (toFloat16Bits(middle) !== even)
      expect.fail(`the middle above ${bits} became ${toFloat16Bits(middle)}`)
    // Twice rounded, through float32, these two would fall on the middle and then to the wrong side.
    if (toFloat16Bits(middle * (1 - 2 ** -52)) !== bits) expect.fail(`just under the middle above ${bits}`)
    if (toFloat16Bits(middle * (1 + 2 ** -52)) !== bits + 1) expect.fail(`just over the middle above ${bits}`)
  }
})

it('keeps zeros, infinities and NaN, and overflows where IEEE 754 says', () => {
  expect(Array.from(toFloat16([0, -0, Infinity, -Infinity, 65519.999, 65520, -65520]))).toEqual([
    0, 0x8000, 0x7c00, 0xfc00, 0x7bff, 0x7c00, 0xfc00,
  ])
  expect(fromFloat16(toFloat16([Number.NaN]))[0]).toBeNaN()
  expect(Object.is(fromFloat16(toFloat16([-0]))[0], -0)).toBe(true)
  expect(Array.from(toFloat16([2 ** -25, 2 ** -24, 1.5 * 2 ** -24, -(2 ** -26)]))).toEqual([0, 1, 2, 0x8000])
})
