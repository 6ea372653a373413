import type { Session } from '../session.js'
import { type Tensor, tensor } from '../tensor.js'
import { check, equal, fails, sameTensor } from './assert.js'
import { type CaseSettings, type SessionCase, using } from './case.js'
import { addFeeds } from './cases-answers.js'
import { add, identity, reshape } from './models.js'

/** Bad input has a typed error with the fix in it, and harms nobody else. */
export function errors({ tolerance, dtypes }: CaseSettings): readonly SessionCase[] {
  return [
    {
      name: 'refuses bad feeds by name, dtype, rank, dimension, symbol, array and length',
      run: (open) =>
        using(open, add(), async (session) => {
          for (const [what, path, feeds] of badFeeds()) {
            const error = await fails(run(session, feeds), 'INVALID_INPUT', what)
            equal(error.data?.path, path, `${what}: data.path`)
            check(error.message.includes(session.info.model), `${what}: the message does not name the model`)
          }
          const feeds = addFeeds(1, 5)
          const unknown = await fails(
            session.run(feeds, { outputs: ['product'] }),
            'INVALID_INPUT',
            'an unknown output',
          )
          check(unknown.message.includes('sum'), 'the message does not name the output there is')
          await session.run(feeds)
        }),
    },
    ...(dtypes.includes('string') ? [strings] : []),
    {
      name: 'a failing run fails alone',
      run: (open) =>
        using(open, reshape(), async (session) => {
          const x = tensor('float32', [1, 2, 3, 4, 5, 6])
          const shaped = (rows: number): Promise<Tensor | undefined> =>
            session.run({ x, shape: tensor('int64', [rows, 2]) }).then(({ outputs }) => outputs.y)
          const runs = Array.from({ length: 12 }, (_, index) => ({
            fits: index % 3 !== 1,
            run: shaped(index % 3 === 1 ? 7 : 3),
          }))
          // Every promise is waited for before any is judged.
          await Promise.allSettled(runs.map(({ run: pending }) => pending))
          for (const { fits, run: pending } of runs) {
            if (fits)
              sameTensor(
                await pending,
                tensor('float32', x.data, [3, 2]),
                tolerance,
                'a good run beside bad ones',
              )
            else await fails(pending, 'RUN_FAILED', 'a run with a shape that does not fit')
          }
        }),
    },
  ]
}

const strings: SessionCase = {
  name: 'refuses strings that would not arrive whole',
  run: (open) =>
    using(open, identity('string'), async (session) => {
      await fails(session.run({ x: tensor('string', ['cut\0here']) }), 'INVALID_INPUT', 'a string with NUL')
      await fails(
        session.run({ x: tensor('string', ['half \ud83d']) }),
        'INVALID_INPUT',
        'half a surrogate pair',
      )
    }),
}

/** As JavaScript without types would call it. */
function run(session: Session, feeds: unknown): Promise<unknown> {
  return session.run(feeds as Parameters<Session['run']>[0])
}

function badFeeds(): readonly (readonly [string, string, unknown])[] {
  const { a, b } = addFeeds(2, 9)
  const other = addFeeds(3, 9).b
  const moved = { ...b, data: new Float32Array(4) }
  structuredClone(moved.data.buffer, { transfer: [moved.data.buffer] })
  return [
    ['no feeds', 'feeds', undefined],
    ['a missing input', 'feeds.b', { a }],
    ['an unknown input', 'feeds.c', { a, b, c: a }],
    ['a plain array', 'feeds.b', { a, b: [1, 2, 3, 4] }],
    ['another dtype', 'feeds.b.dtype', { a, b: tensor('float64', [1, 2, 3, 4], [2, 2]) }],
    ['another rank', 'feeds.b.shape', { a, b: { ...b, shape: [4] } }],
    ['a wrong fixed dimension', 'feeds.b.shape[1]', { a, b: { ...b, shape: [2, 3] } }],
    ['a symbol of two sizes', 'feeds.b.shape[0]', { a, b: other }],
    ['a negative dimension', 'feeds.b', { a, b: { ...b, shape: [-2, 2] } }],
    ['too few values', 'feeds.b.data', { a, b: { ...b, data: b.data.slice(1) } }],
    ['another array class', 'feeds.b.data', { a, b: { ...b, data: new Float64Array(4) } }],
    ['numbers in an array', 'feeds.b.data', { a, b: { ...b, data: [1, 2, 3, 4] } }],
    ['a buffer that was moved away', 'feeds.b.data', { a, b: moved }],
  ]
}
