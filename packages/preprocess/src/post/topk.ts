import type { Tensor } from '@tandem/sdk'
import { invalid, whole } from '../check.js'
import { numbers } from './numbers.js'

export interface Ranked {
  readonly index: number
  readonly score: number
  /** `labels[index]`; absent without labels. */
  readonly label?: string | undefined
}

/**
 * The `k` largest values, largest first; of equal ones the earlier first. NaN is never among them.
 * @param tensor shape [n], or [1, n] and the like: one row of scores
 * @throws INVALID_INPUT for more than one row, or labels of another number
 */
export const topK = (tensor: Tensor, k: number, labels?: readonly string[]): Ranked[] => {
  const scores = numbers('topK() tensor', tensor)
  whole('topK() k', k, 1, Number.MAX_SAFE_INTEGER)
  if (tensor.shape.at(-1) !== scores.length && scores.length !== 1) {
    throw invalid(
      'topK() tensor',
      `has shape [${tensor.shape.join(', ')}]: give it one row of scores at a time`,
    )
  }
  if (labels !== undefined && labels.length !== scores.length) {
    throw invalid('topK() labels', `are ${labels.length} for ${scores.length} scores`)
  }
  const better = (a: number, b: number): number => (scores[b] as number) - (scores[a] as number) || a - b
  const room = Math.max(64, 2 * k)
  let best: number[] = []
  let least: number | undefined
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] as number
    if (Number.isNaN(score) || (least !== undefined && score <= least)) continue
    // Sorted and cut whenever twice as many are there as are wanted: a large `k` then costs no more than sorting does.
    if (best.push(index) < room) continue
    best = best.sort(better).slice(0, k)
    least = scores[best[k - 1] as number]
  }
  return best
    .sort(better)
    .slice(0, k)
    .map((index) => ({ index, score: scores[index] as number, ...(labels && { label: labels[index] }) }))
}
