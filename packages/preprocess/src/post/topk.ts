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
  const best: Ranked[] = []
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] as number
    const least = best.length < k ? Number.NEGATIVE_INFINITY : (best[best.length - 1] as Ranked).score
    if (Number.isNaN(score) || (best.length === k && score <= least)) continue
    let place = best.length
    while (place > 0 && (best[place - 1] as Ranked).score < score) place--
    best.splice(place, 0, { index, score, ...(labels && { label: labels[index] }) })
    if (best.length > k) best.pop()
  }
  return best
}
