import { availableParallelism } from 'node:os'
import { decode } from './decode.node.js'
import type { Platform } from './platform.js'
import { startWorker } from './pool/start.node.js'
import { type Preprocessor, type PreprocessorOptions, preprocessorOn } from './preprocessor.js'

const platform: Platform = {
  decode,
  startWorker,
  workers: Math.max(1, Math.min(4, availableParallelism() - 1)),
}

/** Runs plans in a pool of worker threads, which start at the first run. */
export const preprocessor = (options: PreprocessorOptions = {}): Preprocessor =>
  preprocessorOn(platform, options)

export * from './index.js'
