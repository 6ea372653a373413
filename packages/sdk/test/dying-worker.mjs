// A real realm that ends itself, in the way its URL says, as soon as it is asked to run.
import { parentPort } from 'node:worker_threads'
import '../dist/realm/worker.node.js'

const how = new URL(import.meta.url).searchParams.get('how')

parentPort.on('message', ({ path }) => {
  if (path?.[0] !== 'run') return
  if (how === 'exit') process.exit(7)
  else throw new Error('out of order')
})
