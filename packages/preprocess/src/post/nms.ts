import { invalid, show } from '../check.js'
import type { Box } from '../geometry.js'

export interface NmsOptions {
  /** Boxes that overlap a better one by more than this part of their union are dropped; 0.5 by default. */
  readonly iou?: number | undefined
  /** Boxes below this score are not looked at. All are by default: thousands of them take seconds. */
  readonly score?: number | undefined
  /** At most so many are kept. */
  readonly limit?: number | undefined
}

/**
 * Non-maximum suppression: the indices of the boxes to keep, best first. Boxes that
 * are not finite and scores of NaN are never among them.
 * @param boxes either `{ x, y, width, height }` or flat corners x1, y1, x2, y2, one box after the other
 * @throws INVALID_INPUT when there are not as many boxes as scores
 */
export const nms = (
  boxes: readonly Box[] | Float32Array,
  scores: ArrayLike<number>,
  options: NmsOptions = {},
): number[] => {
  const { iou = 0.5, score = Number.NEGATIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = options
  if (!(iou >= 0 && iou <= 1)) throw invalid('nms() iou', `must be from 0 to 1, got ${show(iou)}`)
  if (typeof score !== 'number' || Number.isNaN(score))
    throw invalid('nms() score', `must be a number, got ${show(score)}`)
  if (!(limit >= 0)) throw invalid('nms() limit', `must be 0 or more, got ${show(limit)}`)
  if (!(boxes instanceof Float32Array) && !Array.isArray(boxes)) {
    throw invalid('nms() boxes', `must be boxes, or corners in a Float32Array, got ${show(boxes)}`)
  }
  const corners = boxes instanceof Float32Array ? boxes : toCorners(boxes)
  if (corners.length !== scores.length * 4) {
    throw invalid('nms() boxes', `are ${corners.length / 4} for ${scores.length} scores`)
  }
  const order = Array.from(scores, (_, index) => index)
    .filter((index) => (scores[index] as number) >= score && isBox(corners, index * 4))
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
  const kept: number[] = []
  for (const index of order) {
    if (kept.length >= limit) break
    if (!kept.some((better) => overlap(corners, better * 4, index * 4) > iou)) kept.push(index)
  }
  return kept
}

/** One box of NaN would seem to overlap all others. */
function isBox(corners: Float32Array, box: number): boolean {
  return corners.subarray(box, box + 4).every(Number.isFinite)
}

function toCorners(boxes: readonly Box[]): Float32Array {
  const corners = new Float32Array(boxes.length * 4)
  boxes.forEach(({ x, y, width, height }, i) => {
    corners.set([x, y, x + width, y + height], i * 4)
  })
  return corners
}

/** Intersection over union of the boxes that begin at `a` and `b`. Written out: it is called for every pair. */
function overlap(corners: Float32Array, a: number, b: number): number {
  const left = corners[a] as number
  const top = corners[a + 1] as number
  const right = corners[a + 2] as number
  const bottom = corners[a + 3] as number
  const otherLeft = corners[b] as number
  const otherRight = corners[b + 2] as number
  const width = Math.min(right, otherRight) - Math.max(left, otherLeft)
  if (width <= 0) return 0
  const otherTop = corners[b + 1] as number
  const otherBottom = corners[b + 3] as number
  const height = Math.min(bottom, otherBottom) - Math.max(top, otherTop)
  if (height <= 0) return 0
  const shared = width * height
  const both = (right - left) * (bottom - top) + (otherRight - otherLeft) * (otherBottom - otherTop)
  return shared / (both - shared)
}
