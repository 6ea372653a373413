// A real realm that throws, where nobody catches it, as soon as it is asked to run.
import { parentPort } from 'node:worker_threads'
import '../dist/realm/worker.node.js'

parentPort.on('message', ({ path }) => {
  if (path?.[0] === 'run') throw new Error('out of order')
})
