import { image, nms } from '@tandem/preprocess'
import { output } from '@tandem/sdk'
import { bestScore, decodeFaces, type Face, side } from './blazeface.js'
import { floats } from './floats.js'
import type { Task } from './task.js'

const minScore = 0.5
/** Boxes that overlap more than this are one face. */
const maxOverlap = 0.3

/** Output names in the order: logits of the fine and the coarse grid, rows of the fine and the coarse grid. */
const outputNames = ['Identity:0', 'Identity_1:0', 'Identity_2:0', 'Identity_3:0'] as const

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
  about: 'BlazeFace · 128 × 128 · 0.4 MB',
  accept: 'image/*',
  file: '/models/blazeface.onnx',
  runs: 50,
  async pass(session, input, { pre, signal, trace, onCall }) {
    const start = performance.now()
    const { feeds, toSource } = await pre.run(plan, input, { trace, signal })
    const prepared = performance.now()
    const result = await session.run(feeds, { trace, signal })
    onCall(result, 1)
    const ran = performance.now()
    const outputs = outputNames.map((name) => output(result, name))
    const [fineLogits, coarseLogits, fineRows, coarseRows] = outputs.map(floats)
    const grids = { logits: [fineLogits, coarseLogits], rows: [fineRows, coarseRows] } as const
    const found = best(decodeFaces(grids, minScore)).map((face) => ({
      score: face.score,
      box: toSource(face.box),
      points: face.points.map((point) => toSource(point)),
    }))
    return {
      answer: { kind: 'faces', faces: found, best: bestScore(grids) },
      outputs,
      preprocessMs: prepared - start,
      postprocessMs: performance.now() - ran,
    }
  },
}
