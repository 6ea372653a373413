import type { Recorder } from '@tandem/telemetry'
import { type LocalSession, localSession } from '../local.js'
import { realClock, sharedNow } from '../realm/clock.js'
import { toWire } from '../realm/error.js'
import type { Answer, Ran, RunRequest, WireTensor } from '../realm/protocol.js'
import { type Endpoint, realm } from '../realm/realm.js'
import type { Port } from '../session.js'
import type { Named } from './models.js'

export interface MemoryModel {
  readonly name: string
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  compute(feeds: Named): Named | Promise<Named>
}

export interface MemoryOptions {
  readonly telemetry?: Recorder | undefined
  readonly maxQueue?: number | undefined
  /** Named in `info` and telemetry; `memory` by default. */
  readonly device?: string | undefined
}

/** A session without onnxruntime: a function behind the same validator, the same queue and the same telemetry. */
export function memorySession(model: MemoryModel, options: MemoryOptions = {}): LocalSession {
  const { device = 'memory', telemetry, maxQueue = 1000 } = options
  const { name, inputs, outputs } = model
  return localSession({
    info: {
      model: name,
      place: 'local',
      device,
      why: `${device} was asked for`,
      attempts: [{ target: device, device, outcome: 'ok', durationMs: 0 }],
      load: { downloadMs: null, createMs: null },
      runtime: 'memory',
    },
    created: { session: 0, inputs, outputs, runtime: 'memory' },
    realm: realm(endpoint(model), realClock),
    maxQueue,
    telemetry,
    because: 'asked',
    leave: () => {},
  })
}

function endpoint(model: MemoryModel): Endpoint {
  return {
    remote: false,
    host: {
      create: async () => ({ error: toWire(new Error('A memory session has its model from the start.')) }),
      run: (request) => run(model, request),
      release: async () => ({ value: null }),
    },
    ready: Promise.resolve(),
    onDeath: () => {},
    setBusy: () => {},
    close: () => {},
  }
}

async function run(model: MemoryModel, { feeds, outputs }: RunRequest): Promise<Answer<Ran>> {
  const arrivedAt = sharedNow()
  try {
    const results = await model.compute(
      Object.fromEntries(feeds.map(({ name, ...feed }) => [name, feed])) as Named,
    )
    const wanted = outputs ?? model.outputs.map((port) => port.name)
    const leftAt = sharedNow()
    return {
      value: {
        // An answer never shares memory with the feeds.
        outputs: wanted.map((name) => ({ name, ...structuredClone(results[name]) }) as WireTensor),
        borrowed: [],
        arrivedAt,
        leftAt,
        inputMs: 0,
        inferenceMs: leftAt - arrivedAt,
        outputMs: 0,
      },
    }
  } catch (error) {
    return { error: toWire(error) }
  }
}
