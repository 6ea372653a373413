import { readCanvas } from './canvas.browser.js'
import { decode } from './decode.browser.js'
import type { Platform } from './platform.js'
import { startWorker } from './pool/start.browser.js'
import { type Preprocessor, type PreprocessorOptions, preprocessorOn } from './preprocessor.js'

const workersBesidePage = (): number => Math.max(1, Math.min(4, navigator.hardwareConcurrency - 1))

/** Runs plans in a pool of workers, which start at the first run. */
export const preprocessor = (options: PreprocessorOptions = {}): Preprocessor => {
  const platform: Platform = {
    decode,
    readBitmap: (bitmap) => readCanvas(bitmap as ImageBitmap),
    startWorker,
    workers: workersBesidePage(),
  }
  return preprocessorOn(platform, options)
}

export * from './index.js'
