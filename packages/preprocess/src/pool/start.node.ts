import { Worker } from 'node:worker_threads'
import { wrap } from 'comlink'
import { endpoint } from '../endpoint.node.js'
import type { StartedWorker } from '../platform.js'
import { late } from './late.js'
import type { WorkerApi } from './protocol.js'

export const startWorker = (url: string | URL | undefined): StartedWorker => {
  const worker = new Worker(scriptOf(url), { execArgv: flags() })
  // An idle worker must not keep a finished program alive.
  worker.unref()
  const port = endpoint(worker)
  const ready = wrap<WorkerApi>(port).ready('')
  const died = new Promise<string>((resolve) => {
    worker.once('error', (error: unknown) => resolve(error instanceof Error ? error.message : String(error)))
    worker.once('exit', (code) => resolve(`it exited with code ${code}`))
  })
  const tooLate = late(ready, died, url)
  void tooLate.then(() => worker.terminate())
  return {
    endpoint: port,
    ready,
    gone: Promise.race([died, tooLate]),
    hold: (held) => (held ? worker.ref() : worker.unref()),
    async end() {
      await worker.terminate()
    },
  }
}

/** The parent's flags without the one that only `node --eval` takes, which would keep the thread from starting. */
const flags = (): string[] => process.execArgv.filter((flag) => !flag.startsWith('--input-type'))

/** A URL in a string would be taken for a path. */
function scriptOf(url: string | URL = new URL('../worker.node.js', import.meta.url)): string | URL {
  return typeof url === 'string' && url.startsWith('file:') ? new URL(url) : url
}
