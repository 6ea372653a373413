// A real realm that exits as soon as it is asked to run.
import { parentPort } from 'node:worker_threads'
import '../dist/realm/worker.node.js'

parentPort.on('message', ({ path }) => {
  if (path?.[0] === 'run') process.exit(7)
})
