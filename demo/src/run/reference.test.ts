import type { RunResult } from '@tandem/sdk'
import { expect, test } from 'vitest'
import { faces } from '../model/faces.js'
import type { Task } from '../model/task.js'
import type { Choice } from '../places.js'
import { reference } from './reference.js'

const task: Task = { ...faces, compared: () => [] }
const result: RunResult = {
  outputs: {},
  place: 'local',
  attempts: [],
  timings: {
    total: 1,
    queue: null,
    preprocess: null,
    input: null,
    inference: null,
    output: null,
    postprocess: null,
    network: null,
    batchSize: 1,
    computeShare: null,
    cache: 'none',
  },
}

/** Runs where WASM fails; `asked` says who was asked. */
async function withoutWasm(
  choices: readonly Choice[],
): Promise<{ from: string | undefined; asked: Choice[] }> {
  const asked: Choice[] = []
  const found = await reference(task, choices, new AbortController().signal, async (choice, onCall) => {
    asked.push(choice)
    if (choice === 'wasm') throw new Error('no WebAssembly here')
    onCall(result)
  })
  return { from: found?.from, asked }
}

test.each<Choice>(['auto', 'webgpu', 'wasm', 'only_on_device'])(
  'an input that is run with %s is never sent to the server for a reference',
  async (choice) => {
    expect(await withoutWasm([choice])).toEqual({ from: undefined, asked: ['wasm'] })
  },
)

test('the server stands in for WASM where the input may go there', async () => {
  expect(await withoutWasm(['prefer_on_device'])).toEqual({ from: 'the server', asked: ['wasm', 'server'] })
})

test('an abort ends it', async () => {
  const stopping = new AbortController()
  const asking = reference(task, ['server'], stopping.signal, async () => {
    stopping.abort(new Error('stop'))
    throw new Error('too late')
  })
  await expect(asking).rejects.toThrow('stop')
})
