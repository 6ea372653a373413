import { parentPort } from 'node:worker_threads'
import { expose } from 'comlink'
import { decode } from './decode.node.js'
import { endpoint } from './endpoint.node.js'
import { serve } from './pool/serve.js'

// Node tells a thread's death by an event, so there is no lock to hold.
if (parentPort !== null)
  expose(
    serve({ decode }, async () => undefined),
    endpoint(parentPort),
  )
