// The other side of session.mjs's comparison: a thread with onnxruntime-node behind plain messages or comlink.
import { parentPort, workerData } from 'node:worker_threads'
import { expose } from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import ort from 'onnxruntime-node'

const session = await ort.InferenceSession.create(workerData.bytes, workerData.sessionOptions)

async function run({ name, shape, data }) {
  const results = await session.run({ [name]: new ort.Tensor('float32', data, shape) })
  return Object.entries(results).map(([output, { dims, data: values }]) => ({
    name: output,
    shape: dims,
    data: values,
  }))
}

if (workerData.kind === 'comlink') expose({ run }, nodeEndpoint(parentPort))
else parentPort.on('message', async (feed) => parentPort.postMessage(await run(feed)))
