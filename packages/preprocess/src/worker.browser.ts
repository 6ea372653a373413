import { expose } from 'comlink'
import { readCanvas } from './canvas.browser.js'
import { decode } from './decode.browser.js'
import { serve } from './pool/serve.js'

/** Takes the lock for as long as this worker lives, and resolves once it has it. */
const holdLock = (name: string): Promise<void> =>
  new Promise((resolve) => {
    if (navigator.locks === undefined) return resolve()
    void navigator.locks.request(name, () => {
      resolve()
      return new Promise(() => undefined)
    })
  })

expose(serve({ decode, readBitmap: (bitmap) => readCanvas(bitmap as ImageBitmap) }, holdLock))
