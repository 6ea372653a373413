import type { Tensor } from '@tandem/sdk'

/**
 * The largest difference between two answers: max |a − b| over all values of all outputs, divided by the reference output's
 * largest magnitude where that exceeds 1. So 1e-3 means a thousandth of the range. Infinity when shapes differ or a value is
 * not a number.
 */
export function difference(answer: readonly Tensor[], reference: readonly Tensor[]): number {
  if (answer.length !== reference.length) return Number.POSITIVE_INFINITY
  return answer.reduce((worst, tensor, i) => Math.max(worst, between(tensor, reference[i])), 0)
}

function between(a: Tensor, b: Tensor | undefined): number {
  if (b === undefined || a.data.length !== b.data.length) return Number.POSITIVE_INFINITY
  let worst = 0
  let range = 1
  for (let i = 0; i < b.data.length; i += 1) {
    const expected = Number(b.data[i])
    const off = Math.abs(Number(a.data[i]) - expected)
    if (Number.isNaN(off)) return Number.POSITIVE_INFINITY
    worst = Math.max(worst, off)
    range = Math.max(range, Math.abs(expected))
  }
  return worst / range
}

/** Beyond this an answer is wrong, not rounded otherwise: the sdk's own suite allows as much on WebGPU. */
export const tolerance = 1e-3

export function isWrong(difference: number | undefined): difference is number {
  return difference !== undefined && difference > tolerance
}
