import { InferenceError } from '@tandem/sdk'
import { execute } from './execute.js'
import type { Decoder } from './platform.js'
import type { Host, Hosted } from './pool/pool.js'
import { scratch } from './scratch.js'

/** Runs plans in the calling thread, one after the other, since they share their scratch memory. */
export const inline = (decoder: Decoder): Host => {
  const memory = scratch()
  let disposed = false
  return {
    run(plan, { input }, signal) {
      if (disposed) {
        return Promise.reject(
          new InferenceError('DISPOSED', 'The preprocessor was disposed: make a new one with preprocessor()'),
        )
      }
      return new Promise<Hosted>((resolve, reject) => {
        const onAbort = (): void => reject(signal?.reason)
        signal?.addEventListener('abort', onAbort, { once: true })
        execute(plan, input, decoder, memory)
          .then((done) => resolve({ done, queueMs: 0 }), reject)
          .finally(() => signal?.removeEventListener('abort', onAbort))
      })
    },
    async dispose() {
      disposed = true
    },
  }
}
