import type { Box, Point } from '@tandem/preprocess'
import { anchors } from './anchors.js'

/** Pixels a side of the model's input. */
export const side = 128

/** The six points that the model places on a face, from the viewer's left. */
const pointNames = ['right eye', 'left eye', 'nose', 'mouth', 'right ear', 'left ear'] as const

export interface Face {
  readonly box: Box
  readonly points: readonly Point[]
  /** 0 … 1 */
  readonly score: number
}

/** BlazeFace's four outputs: logits and box rows of its fine grid (512) and of its coarse one (384). */
export interface Grids {
  readonly logits: readonly [Float32Array, Float32Array]
  readonly rows: readonly [Float32Array, Float32Array]
}

/** Numbers a box row: centre x, y, width, height, then six points. */
const rowLength = 16
/** The model's own limit on logits, so that the sigmoid stays finite. */
const maxLogit = 100

const centres = anchors()

/** Every anchor that scores at least `minScore`, in pixels of the 128×128 input, unsorted and with overlaps. */
export function decodeFaces({ logits, rows }: Grids, minScore: number): Face[] {
  const faces: Face[] = []
  let anchor = 0
  for (const grid of [0, 1] as const) {
    const scores = logits[grid]
    for (let i = 0; i < scores.length; i += 1, anchor += 1) {
      const score = sigmoid(scores[i] ?? Number.NEGATIVE_INFINITY)
      if (score >= minScore) faces.push({ score, ...place(rows[grid].subarray(i * rowLength), anchor) })
    }
  }
  return faces
}

/** The best score of all anchors, face or not. */
export function bestScore({ logits }: Grids): number {
  return Math.max(...logits.map((scores) => sigmoid(scores.reduce((a, b) => Math.max(a, b)))))
}

/** A row counts from its anchor's centre, in pixels. */
function place(row: Float32Array, anchor: number): Pick<Face, 'box' | 'points'> {
  const x = side * (centres[2 * anchor] ?? 0)
  const y = side * (centres[2 * anchor + 1] ?? 0)
  const [dx = 0, dy = 0, width = 0, height = 0] = row
  return {
    box: { x: x + dx - width / 2, y: y + dy - height / 2, width, height },
    points: pointNames.map((_, i) => ({ x: x + (row[4 + 2 * i] ?? 0), y: y + (row[5 + 2 * i] ?? 0) })),
  }
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-Math.min(maxLogit, Math.max(-maxLogit, logit))))
}
