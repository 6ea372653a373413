// The real worker, that dies on a plan whose input is called «exit» or «throw».
import { parentPort } from 'node:worker_threads'
import '../dist/worker.node.js'

parentPort?.on('message', ({ argumentList }) => {
  const input = argumentList?.[0]?.value?.input
  if (input === 'exit') process.exit(3)
  if (input === 'throw') throw new Error('thrown in the worker')
})
