// What a session costs beside raw onnxruntime-node: interleaved pairs in one process, so that a noisy machine hits both alike.
import { Worker } from 'node:worker_threads'
import { load, tensor } from '@tandem/sdk'
import { convNet, imageShape, mlp, randomFloats } from '@tandem/sdk/testing'
import { wrap } from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import ort from 'onnxruntime-node'

const image = {
  name: 'image',
  shape: imageShape,
  data: randomFloats(
    imageShape.reduce((a, b) => a * b, 1),
    1,
  ),
}
/** One thread each: the idle threads of one way would spin on the cores of the next. */
const threads = 1
const sessionOptions = { logSeverityLevel: 3, intraOpNumThreads: threads }

const models = {
  tiny: {
    bytes: mlp([64, 512, 256, 16]),
    input: { name: 'x', shape: [1, 64], data: randomFloats(64, 2) },
    rounds: 2000,
    warmup: 500,
  },
  small: {
    bytes: convNet([
      { channels: 23, kernel: 3, stride: 2 },
      { channels: 23, kernel: 3, stride: 2 },
      { channels: 23, kernel: 3, stride: 1 },
    ]),
    input: image,
    rounds: 300,
    warmup: 50,
  },
  medium: {
    bytes: convNet([
      { channels: 32, kernel: 3, stride: 2 },
      { channels: 64, kernel: 3, stride: 2 },
      { channels: 96, kernel: 3, stride: 1 },
      { channels: 96, kernel: 3, stride: 1 },
    ]),
    input: image,
    rounds: 120,
    warmup: 20,
  },
}

/** Medians (ms) of several ways to do the same, one round of each in turn, in ever another order: neighbours leave caches behind. */
async function interleaved(ways, { rounds, warmup }) {
  const names = Object.keys(ways)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -warmup; round < rounds; round++) {
    for (const name of shuffled(names)) {
      const from = performance.now()
      await ways[name]()
      if (round >= 0) times[name].push(performance.now() - from)
    }
  }
  return { times, median: Object.fromEntries(names.map((name) => [name, median(times[name])])) }
}

function shuffled(names) {
  const keyed = names.map((name) => [Math.random(), name])
  return keyed.sort(([a], [b]) => a - b).map(([, name]) => name)
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/** The median over rounds of way / base: what two neighbours in time cost beside each other. */
function ratio(times, way, base) {
  return median(times[way].map((time, round) => time / times[base][round]))
}

/** Raw onnxruntime-node in a thread that answers plain messages or comlink calls: what a realm is measured against. */
async function peer(kind, { bytes, input }) {
  const worker = new Worker(new URL('./session-peer.mjs', import.meta.url), {
    workerData: { kind, bytes, sessionOptions },
  })
  const feed = () => ({ name: input.name, shape: input.shape, data: input.data })
  if (kind === 'comlink') {
    const run = wrap(nodeEndpoint(worker)).run
    await run(feed())
    return { run: () => run(feed()), close: () => worker.terminate() }
  }
  const run = () =>
    new Promise((resolve) => {
      worker.once('message', resolve)
      worker.postMessage(feed())
    })
  await run()
  return { run, close: () => worker.terminate() }
}

/** One way at a time beside raw: the more ways take turns, the colder each finds its caches. */
async function measure(model, kind) {
  const { bytes, input } = model
  const raw = await ort.InferenceSession.create(bytes, sessionOptions)
  const way = await open(kind, model)
  const result = await interleaved(
    {
      raw: () => raw.run({ [input.name]: new ort.Tensor('float32', input.data, input.shape) }),
      way: way.run,
    },
    model,
  )
  await way.close()
  await raw.release()
  return result
}

async function repeated(measureOnce) {
  const found = []
  for (let i = 0; i < repeats; i++) found.push(await measureOnce())
  return found
}

async function open(kind, model) {
  if (kind === 'postMessage' || kind === 'comlink') return peer(kind, model)
  const host = kind === 'realm' ? 'worker' : 'inline'
  const session = await load(model.bytes, { device: 'cpu', host, threads })
  const feeds = { [model.input.name]: tensor('float32', model.input.data, model.input.shape) }
  return { run: () => session.run(feeds), close: () => session.dispose({ reclaim: true }) }
}

/** Fresh sessions and threads for each: which core a thread gets decides more than what is measured. */
const repeats = 3

export async function rows() {
  const added = async (kind) => {
    const found = await repeated(() => measure(models.tiny, kind))
    const value = 1000 * median(found.map((one) => one.median.way - one.median.raw))
    const raw = Math.round(1000 * median(found.map((one) => one.median.raw)))
    return [`${kind}, added to a model of ${raw} µs`, value, 'µs']
  }
  const beside = async (kind, model) => {
    const found = await repeated(() => measure(model, kind))
    const raw = median(found.map((one) => one.median.raw))
    const value = median(found.map(({ times }) => ratio(times, 'way', 'raw')))
    return [`${kind} / raw (${raw.toFixed(1)} ms, 600 kB in), median of ${repeats}`, value, '×']
  }
  const row = ([name, value, unit], goal) => ({
    name,
    value,
    unit,
    goal,
    pass: goal === undefined ? undefined : value <= goal,
  })
  return [
    row(await added('inline'), 20),
    row(await added('realm')),
    row(await beside('inline', models.small), 1.02),
    row(await beside('realm', models.small)),
    row(await beside('inline', models.medium)),
    row(await beside('realm', models.medium), 1.1),
    row(await beside('postMessage', models.medium)),
    row(await beside('comlink', models.medium)),
  ]
}
