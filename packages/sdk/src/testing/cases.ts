import { dtypes } from '../tensor.js'
import type { CaseOptions, CaseSettings, SessionCase } from './case.js'
import { answers } from './cases-answers.js'
import { calls } from './cases-calls.js'
import { errors } from './cases-errors.js'

/** Everything that any Session promises, whatever computes behind it. */
export function sessionCases(options: CaseOptions = {}): readonly SessionCase[] {
  const settings: CaseSettings = {
    tolerance: options.tolerance ?? 1e-4,
    dtypes: options.dtypes ?? dtypes,
    queue: options.queue ?? true,
    moves: options.moves ?? true,
    blocks: options.blocks ?? false,
    slowLayers: options.slowLayers ?? 64,
  }
  return [...answers(settings), ...errors(settings), ...calls(settings)]
}
