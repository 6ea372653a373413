import { type ImagePlan, image, preprocessor } from '@tandem/preprocess'
import { hybrid, InferenceError, load, type Place, remote, type Session } from '@tandem/sdk'
import { telemetry } from '@tandem/telemetry'

export interface Setup {
  readonly kind: 'local' | 'remote' | 'prefer_on_device' | 'prefer_in_cloud'
  readonly model: string
  readonly server: string
  readonly collector: string
  readonly service: string
  readonly calls: number
}

export interface Figures {
  readonly places: Place[]
  readonly targets: string[][]
  readonly traceIds: string[]
  /** `timings.total` of each run, ms. */
  readonly totals: number[]
  /** Sum of the stages of each run, ms. */
  readonly stageSums: number[]
  readonly firstOutput: number[]
}

const picture = (size: number) => {
  const data = new Uint8Array(size * size * 3)
  for (let i = 0; i < data.length; i++) data[i] = (i * 7) % 256
  return { width: size, height: size, channels: 3, data } as const
}

/** BlazeFace on a picture, `calls` times, each as one trace; resolves when the collector has everything. */
async function road(setup: Setup): Promise<Figures> {
  const t = telemetry({
    service: setup.service,
    endpoint: `${setup.collector}/v1/batch`,
    environment: 'development',
    exporters: [],
  })
  await using pre = preprocessor({ workers: 1 })
  await using session = await open(setup, t)
  const plan: ImagePlan = image({
    input: 'input:0',
    resize: { width: 128, height: 128 },
    scale: 1,
    mean: 127.5,
    std: 127.5,
    layout: 'NHWC',
  })
  const figures: Figures = {
    places: [],
    targets: [],
    traceIds: [],
    totals: [],
    stageSums: [],
    firstOutput: [],
  }
  for (let call = 0; call < setup.calls; call++) {
    await t.trace('call', async (trace) => {
      const { feeds } = await pre.run(plan, picture(160), { trace })
      const { outputs, place, timings, attempts } = await session.run(feeds, { trace })
      const { queue, input, inference, output, network } = timings
      figures.places.push(place)
      figures.targets.push(attempts.map((attempt) => `${attempt.target} ${attempt.outcome}`))
      figures.traceIds.push(trace.traceId)
      figures.totals.push(timings.total)
      figures.stageSums.push(
        [queue, input, inference, output, network].reduce<number>((sum, ms) => sum + (ms ?? 0), 0),
      )
      if (call === 0) figures.firstOutput.push(...Array.from(Object.values(outputs)[0]?.data ?? [], Number))
    })
  }
  await t.shutdown()
  return figures
}

function open({ kind, model, server }: Setup, t: ReturnType<typeof telemetry>): Promise<Session> {
  const local = () => load(model, { device: 'wasm', name: 'blazeface', telemetry: t })
  const cloud = () => remote(`${server}/v2/models/blazeface`, { telemetry: t })
  if (kind === 'local') return local()
  if (kind === 'remote') return cloud()
  return hybrid({ mode: kind, local, remote: cloud, telemetry: t })
}

/** Every way in which an on-device call can fail. Resolves with what each call ended in. */
async function failuresOnDevice(model: string): Promise<string[]> {
  const bytes = new Uint8Array(await (await fetch(model)).arrayBuffer())
  const ends: string[] = []
  const note = async (work: Promise<unknown>): Promise<void> => {
    ends.push(
      await work.then(
        () => 'ok',
        (error) => (InferenceError.is(error) ? error.code : String(error)),
      ),
    )
  }
  await note(hybrid({ mode: 'only_on_device', local: () => load(new TextEncoder().encode('no model')) }))
  await note(hybrid({ mode: 'only_on_device', local: () => load(bytes, { device: 'webgpu' }) }))
  await note(hybrid({ mode: 'only_on_device', local: () => load('/missing.onnx') }))
  await note(hybrid({ mode: 'only_on_device', local: () => load(bytes.slice(0, 1000)) }))
  const session = await hybrid({ mode: 'only_on_device', local: () => load(bytes, { device: 'wasm' }) })
  const feeds = {
    'input:0': { dtype: 'float32', shape: [1, 128, 128, 3], data: new Float32Array(128 * 128 * 3) },
  } as const
  await note(session.run({}))
  await note(session.run(feeds, { signal: AbortSignal.abort('left') }))
  await note(session.run(feeds, { deadlineMs: 0 }))
  await note(session.run(feeds))
  await session.dispose()
  await note(session.run(feeds))
  return ends
}

declare global {
  interface Window {
    road: typeof road
    failuresOnDevice: typeof failuresOnDevice
  }
}
window.road = road
window.failuresOnDevice = failuresOnDevice
