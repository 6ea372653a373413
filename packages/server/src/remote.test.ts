import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dtypes, remote } from '@tandem/sdk'
import { add, awkward, identity, reshape, sessionCases, slow, twoOutputs } from '@tandem/sdk/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Serving, serve } from './serve.node.js'

const slowLayers = 64
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
