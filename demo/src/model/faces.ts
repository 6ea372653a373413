import { image, nms } from '@tandem/preprocess'
import { output } from '@tandem/sdk'
import { bestScore, decodeFaces, type Face, side } from './blazeface.js'
import { floats } from './floats.js'
import type { Task } from './task.js'

const minScore = 0.5
/** Boxes that overlap more than this are one face. */
const maxOverlap = 0.3

/** Logits and box rows, each of the fine and of the coarse grid. */
const logitNames = ['Identity:0', 'Identity_1:0'] as const
const rowNames = ['Identity_2:0', 'Identity_3:0'] as const

const plan = image({
  input: 'input:0',
  letterbox: side,
  mean: 0.5,
  std: 0.5,
  layout: 'NHWC',
})

export const faces: Task = {
  model: 'blazeface',
  title: 'Faces in a picture',
  verb: 'detect',
  about: 'BlazeFace · 128 × 128 · 0.4 MB',
  accept: 'image/*',
  file: '/models/blazeface.onnx',
  runs: 50,
  maxRuns: 1000,
  compared: (result) => [...logitNames, ...rowNames].map((name) => output(result, name)),
  async pass(session, input, { pre, signal, trace, onCall }) {
    const start = performance.now()
    const { feeds, toSource } = await pre.run(plan, input, { trace, signal })
    const prepared = performance.now()
    const result = await session.run(feeds, { trace, signal })
    onCall(result, 0, 1)
    const ran = performance.now()
    const of = (name: string): Float32Array => floats(output(result, name))
    const grids = { logits: pair(logitNames, of), rows: pair(rowNames, of) }
    const found = distinct(decodeFaces(grids, minScore)).map((face) => ({
      score: face.score,
      box: toSource(face.box),
      points: face.points.map((point) => toSource(point)),
    }))
    return {
      answer: { kind: 'faces', faces: found, best: bestScore(grids) },
      preprocessMs: prepared - start,
      postprocessMs: performance.now() - ran,
    }
  },
}

function pair<A, B>([first, second]: readonly [A, A], of: (value: A) => B): readonly [B, B] {
  return [of(first), of(second)]
}

/** The best of each heap of overlapping boxes, best first. */
function distinct(candidates: readonly Face[]): Face[] {
  const boxes = candidates.map((face) => face.box)
  const scores = candidates.map((face) => face.score)
  return nms(boxes, scores, { iou: maxOverlap }).flatMap((index) => candidates[index] ?? [])
}
