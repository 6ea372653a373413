import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remote } from '@tandem/sdk'
import { add, awkward, identity, reshape, sessionCases, slow, twoOutputs } from '@tandem/sdk/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Serving, serve } from './serve.node.js'

const slowLayers = 64
const dtypes = [
  'float32',
  'float64',
  'float16',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'bool',
  'string',
] as const
const models = [add(), twoOutputs(), awkward(), reshape(), slow(slowLayers), ...dtypes.map(identity)]

let dir: string
let serving: Serving

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tandem-'))
  for (const { name, bytes } of models) await writeFile(join(dir, `${name}.onnx`), bytes)
  serving = await serve({ dir, port: 0 })
}, 60_000)

afterAll(async () => {
  await serving.close()
  await rm(dir, { recursive: true })
})

describe('a remote session keeps what every session promises', () => {
  for (const { name, run } of sessionCases({ queue: false, moves: false, slowLayers })) {
    it(
      name,
      () => run((model) => remote(`${serving.url}/v2/models/${encodeURIComponent(model.name)}`)),
      60_000,
    )
  }
})
