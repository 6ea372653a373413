import { stages } from '@tandem/telemetry'
import { output } from '../output.js'
import type { RunResult } from '../session.js'
import { type Tensor, tensor } from '../tensor.js'
import { check, equal, fails, sameTensor } from './assert.js'
import { type CaseSettings, type SessionCase, using } from './case.js'
import { add, awkward, identity, type Named, type TinyModel, twoOutputs } from './models.js'
import { randomFloats } from './random.js'
import { edgeValues, reshaped } from './values.js'

/** What comes out, in which shape. */
export function answers(settings: CaseSettings): readonly SessionCase[] {
  const { tolerance } = settings
  const agree = async (model: TinyModel, result: RunResult, feeds: Named): Promise<void> => {
    const expected = await model.compute(feeds)
    equal(
      Object.keys(result.outputs).sort().join(),
      Object.keys(expected).sort().join(),
      'the names of the outputs',
    )
    for (const [name, value] of Object.entries(expected))
      sameTensor(result.outputs[name], value, tolerance, `output ${name}`)
  }

  return [
    {
      name: 'answers rightly, in the shape of a RunResult',
      run: (open) =>
        using(open, add(), async (session) => {
          const feeds = addFeeds(3, 1)
          const result = await session.run(feeds)
          await agree(add(), result, feeds)
          equal(result.place, session.info.place, 'place')
          checkTimings(result)
          const attempt = result.attempts.at(-1)
          equal(attempt?.outcome, 'ok', 'the last attempt')
          equal(attempt?.target, session.info.place, "the last attempt's target")
        }),
    },
    {
      name: 'says what it takes, gives, and where and why it runs',
      run: (open) =>
        using(open, add(), async ({ info, inputs, outputs }) => {
          equal(JSON.stringify(inputs), JSON.stringify(add().inputs), 'inputs')
          equal(JSON.stringify(outputs), JSON.stringify(add().outputs), 'outputs')
          for (const text of [info.model, info.place, info.device, info.why, info.runtime]) {
            check(text.length > 0, 'info has an empty field')
          }
          equal(info.attempts.at(-1)?.outcome, 'ok', 'the last attempt to load')
        }),
    },
    {
      name: 'leaves the feeds as they were, for any number of runs',
      run: (open) =>
        using(open, add(), async (session) => {
          const feeds = addFeeds(40_000, 2)
          const before = structuredClone(feeds)
          for (let round = 0; round < 3; round++) await agree(add(), await session.run(feeds), before)
          for (const name of ['a', 'b'] as const) sameTensor(feeds[name], before[name], 0, `feed ${name}`)
        }),
    },
    {
      name: 'takes symbolic dimensions of any size',
      run: (open) =>
        using(open, add(), async (session) => {
          for (const rows of [1, 7, 0, 5000]) {
            const feeds = addFeeds(rows, rows)
            await agree(add(), await session.run(feeds), feeds)
          }
        }),
    },
    {
      name: 'gives only the outputs asked for, and output() names those there are',
      run: (open) =>
        using(open, twoOutputs(), async (session) => {
          const result = await session.run({ x: tensor('float32', [1, 2, 3]) }, { outputs: ['square'] })
          equal(Object.keys(result.outputs).join(), 'square', 'the outputs')
          sameTensor(output(result, 'square'), tensor('float32', [1, 4, 9]), tolerance, 'square')
          const error = await fails(
            Promise.resolve().then(() => output(result, 'twice')),
            'INVALID_INPUT',
            "output(result, 'twice')",
          )
          check(error.message.includes('square'), 'the message does not name the output there is')
        }),
    },
    {
      name: 'carries awkward names through',
      run: (open) =>
        using(open, awkward(), async (session) => {
          const names = awkward().inputs.map((port) => port.name)
          const feeds = Object.fromEntries(
            names.map((name, index) => [name, tensor('float32', [index, -1], [1, 2])]),
          )
          await agree(awkward(), await session.run(feeds), feeds)
        }),
    },
    ...settings.dtypes.map((dtype) => ({
      name: `carries ${dtype} bit for bit, also as a scalar and empty`,
      run: (open: Parameters<SessionCase['run']>[0]) =>
        using(open, identity(dtype), async (session) => {
          const values = edgeValues(dtype)
          const shapes = [
            values,
            reshaped(values, [1, 3], 3),
            reshaped(values, [], 1),
            reshaped(values, [0], 0),
            reshaped(values, [2, 0, 3], 0),
          ]
          for (const x of shapes)
            sameTensor((await session.run({ x })).outputs.y, x, 0, `${dtype} [${x.shape}]`)
        }),
    })),
  ]
}

/** Feeds of `add()` with `rows` rows. */
export function addFeeds(
  rows: number,
  seed: number,
): { readonly a: Tensor<'float32'>; readonly b: Tensor<'float32'> } {
  const shape = [rows, 2]
  return {
    a: tensor('float32', randomFloats(2 * rows, seed), shape),
    b: tensor('float32', randomFloats(2 * rows, seed + 1), shape),
  }
}

function checkTimings({ timings }: RunResult): void {
  check(timings.total > 0, 'total is not above 0')
  let sum = 0
  for (const stage of stages) {
    const value = timings[stage]
    check(value === null || (Number.isFinite(value) && value >= 0), `stage ${stage} is ${value}`)
    sum += value ?? 0
  }
  // A hundredth of a millisecond for the sum of roundings.
  check(sum <= timings.total + 0.01, `the stages sum to ${sum} ms, more than the total of ${timings.total}`)
  check(timings.inference !== null, 'inference is null')
  check(timings.batchSize >= 1, `batchSize is ${timings.batchSize}`)
  check(['none', 'hit', 'miss', 'coalesced'].includes(timings.cache), `cache is ${timings.cache}`)
}
