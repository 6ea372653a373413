import { expect, test } from 'vitest'
import type { Input } from '../inputs.js'
import { type Event, reduce } from './reduce.js'
import { type Call, initial, type Opened, type State } from './state.js'

const opened: Opened = {
  model: 'blazeface',
  choice: 'wasm',
  place: 'local',
  device: 'wasm',
  why: 'wasm was asked for',
  attempts: [],
  downloadMs: 5,
  createMs: 80,
  runtime: 'onnxruntime-web 1.30.0',
  threads: undefined,
}

function call(total: number, first = false, difference?: number): Call {
  return { first, series: { total, queue: null, inference: total / 2 }, difference }
}

function run(device = 'wasm'): Event {
  const { model, choice, place, why } = opened
  return {
    type: 'run',
    log: {
      model,
      choice,
      place,
      device,
      why,
      input: 'Portrait',
      ms: 9,
      calls: 1,
      attempts: [],
      difference: 0,
    },
  }
}

function after(...events: readonly Event[]): State {
  return events.reduce(reduce, initial)
}

test('the first call stands apart from the warm ones, whatever batch it comes in', () => {
  const { groups } = after(
    { type: 'calls', opened, calls: [call(40, true), call(4)] },
    { type: 'calls', opened, calls: [call(6)] },
  )
  expect(groups).toHaveLength(1)
  expect(groups[0]).toMatchObject({ firstMs: 40, values: { total: [4, 6], inference: [2, 3] } })
})

test('a stage that is unknown has no values rather than zeros', () => {
  const { groups } = after({ type: 'calls', opened, calls: [call(4)] })
  expect(groups[0]?.values.queue).toBeUndefined()
})

test('preparing for the first time is not taken for the first call', () => {
  const { groups } = after(
    { type: 'calls', opened, calls: [{ first: true, series: { preprocess: 30 } }] },
    { type: 'calls', opened, calls: [call(50, true)] },
  )
  expect(groups[0]).toMatchObject({ firstMs: 50, values: {} })
})

test('a choice that runs in two places has figures for each', () => {
  const { groups } = after(
    { type: 'calls', opened: { ...opened, choice: 'prefer_in_cloud' }, calls: [call(4)] },
    {
      type: 'calls',
      opened: { ...opened, choice: 'prefer_in_cloud', place: 'remote', device: 'remote' },
      calls: [call(9)],
    },
  )
  expect(groups.map((group) => group.device)).toEqual(['wasm', 'remote'])
})

test('the largest difference of all calls in a place is kept, the first one’s too', () => {
  const { groups } = after(
    { type: 'calls', opened, calls: [call(40, true, 0.3), call(4, false, 1e-7)] },
    { type: 'calls', opened, calls: [call(4, false, 0), { first: false, series: { postprocess: 1 } }] },
  )
  expect(groups[0]?.difference).toBe(0.3)
})

test('runs are numbered, and the newest comes first', () => {
  const { groups, log } = after({ type: 'calls', opened, calls: [call(4)] }, run(), run())
  expect(groups[0]?.passes).toBe(2)
  expect(log.map((line) => line.number)).toEqual([2, 1])
})

test('a failure is shown until the place works', () => {
  const failed = after({
    type: 'failed',
    failure: { model: 'blazeface', choice: 'wasm', notice: { tone: 'error', text: 'no' } },
  })
  expect(failed.failures).toHaveLength(1)
  expect(reduce(failed, run()).failures).toEqual([])
})

test('a file of the other kind brings its model and its number of runs', () => {
  const recording: Input = {
    id: 'file 1',
    name: 'me.wav',
    caption: '',
    model: 'silero_vad',
    url: 'blob:x',
    bytes: async () => new Blob(),
  }
  expect(after({ type: 'input', input: recording, runs: 3 })).toMatchObject({ model: 'silero_vad', runs: 3 })
})

test('starting over keeps what was chosen', () => {
  const state = after(
    { type: 'choice', choice: 'server' },
    { type: 'calls', opened, calls: [call(4)] },
    run(),
    { type: 'cleared' },
  )
  expect(state).toEqual({ ...initial, choice: 'server' })
})
