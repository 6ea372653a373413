import type { Session } from '../session.js'
import { type Tensor, tensor } from '../tensor.js'
import { check, equal, fails, rejection, sameTensor } from './assert.js'
import { type CaseSettings, type SessionCase, using } from './case.js'
import { addFeeds } from './cases-answers.js'
import { add, slow } from './models.js'

/** Many calls at once, calls that are given up, and the end. */
export function calls(settings: CaseSettings): readonly SessionCase[] {
  const { tolerance, slowLayers, queue, moves, blocks } = settings
  const x = (value: number): { readonly x: Tensor } => ({ x: tensor('float32', [value]) })
  const expect = async (run: ReturnType<Session['run']>, value: number, what: string): Promise<void> =>
    sameTensor((await run).outputs.y, tensor('float32', [value]), 100 * tolerance, what)

  const everywhere: readonly SessionCase[] = [
    {
      name: '100 parallel runs all get their own answer',
      run: (open) =>
        using(open, add(), async (session) => {
          const feeds = Array.from({ length: 100 }, (_, index) => addFeeds(1 + (index % 5), index))
          const results = await Promise.all(feeds.map((one) => session.run(one)))
          for (const [index, { outputs }] of results.entries()) {
            const expected = (await add().compute(feeds[index] as (typeof feeds)[0])).sum as Tensor
            sameTensor(outputs.sum, expected, tolerance, `run ${index}`)
          }
        }),
    },
    {
      name: "an abort rejects with the signal's own reason, before, while waiting and while running",
      run: (open) =>
        using(open, slow(slowLayers), async (session) => {
          const reason = { my: 'reason' }
          equal(
            await rejection(session.run(x(1), { signal: AbortSignal.abort(reason) }), 'an aborted call'),
            reason,
            'the reason',
          )
          const [running, waiting] = [new AbortController(), new AbortController()]
          const first = session.run(x(2), { signal: running.signal })
          const second = session.run(x(3), { signal: waiting.signal })
          const third = session.run(x(4))
          let thirdIsDone = false
          const watched = third.then(() => {
            thirdIsDone = true
          })
          waiting.abort(reason)
          equal(await rejection(second, 'the aborted waiting call'), reason, 'the reason')
          running.abort(reason)
          equal(await rejection(first, 'the aborted running call'), reason, 'the reason')
          check(!queue || !thirdIsDone, 'the aborted call rejected only after the next one had run')
          await watched
          await expect(third, 4, 'the call behind them')
        }),
    },
    {
      name: 'AbortSignal.timeout gives its TimeoutError, a deadline DEADLINE, and a long deadline nothing',
      run: (open) =>
        using(open, slow(slowLayers), async (session) => {
          if (!blocks) {
            const timedOut = session.run(x(1), { signal: AbortSignal.timeout(5) })
            const late = await rejection(timedOut, 'a call with a timeout')
            equal((late as Error).name, 'TimeoutError', 'the error')
          }
          const error = await fails(
            session.run(x(2), { deadlineMs: 5 }),
            'DEADLINE',
            'a call with a short deadline',
          )
          equal(error.data?.deadlineMs, 5, 'data.deadlineMs')
          await fails(session.run(x(3), { deadlineMs: 0 }), 'DEADLINE', 'a call with no time')
          await expect(session.run(x(4), { deadlineMs: 600_000 }), 4, 'a call with a long deadline')
        }),
    },
    {
      name: 'dispose() during runs is safe, twice is once, and later calls are DISPOSED',
      run: async (open) => {
        const session = await open(slow(slowLayers))
        await session.run(x(0))
        const runs = [1, 2, 3].map((value) => session.run(x(value)))
        const outcomes = Promise.allSettled(runs)
        const [once, twice] = [session.dispose(), session.dispose()]
        await fails(session.run(x(4)), 'DISPOSED', 'a call after dispose()')
        await Promise.all([once, twice])
        if (queue) await expect(runs[0] as (typeof runs)[0], 1, 'the call that ran')
        for (const outcome of await outcomes) {
          if (outcome.status === 'rejected')
            await fails(Promise.reject(outcome.reason), 'DISPOSED', 'a call that waited')
        }
        await session.dispose()
        await fails(session.run(x(5)), 'DISPOSED', 'a call long after dispose()')
      },
    },
    {
      name: 'copies a view, shared memory and WebAssembly memory even with transfer: true',
      run: (open) =>
        using(open, add(), async (session) => {
          const rows = 20_000
          const { a, b } = addFeeds(rows, 3)
          const expected = (await add().compute({ a, b })).sum as Tensor
          const around = new Float32Array(2 * rows + 2).fill(7)
          around.set(a.data, 1)
          const view = { ...a, data: around.subarray(1, -1) }
          const pages = new WebAssembly.Memory({ initial: 4 })
          const stores: ArrayBufferLike[] = [pages.buffer]
          if (typeof SharedArrayBuffer !== 'undefined') stores.push(new SharedArrayBuffer(b.data.byteLength))
          for (const store of stores) {
            const other = { ...b, data: new Float32Array(store, 0, 2 * rows) }
            other.data.set(b.data)
            const { outputs } = await session.run({ a: view, b: other }, { transfer: true })
            sameTensor(outputs.sum, expected, tolerance, 'sum')
            equal(around[0], 7, "a view's neighbour")
            sameTensor(view, a, 0, 'the view')
            sameTensor(other, b, 0, 'the other store')
          }
        }),
    },
  ]

  const queued: readonly SessionCase[] = [
    {
      name: 'one call more than maxQueue is QUEUE_FULL',
      run: (open) =>
        using(
          open,
          slow(slowLayers),
          async (session) => {
            const [running, waiting] = [session.run(x(1)), session.run(x(2))]
            const error = await fails(session.run(x(3)), 'QUEUE_FULL', 'a call too many')
            equal(error.data?.maxQueue, 1, 'data.maxQueue')
            await expect(running, 1, 'the running call')
            await expect(waiting, 2, 'the waiting call')
            await expect(session.run(x(4)), 4, 'a call when there is room again')
          },
          { maxQueue: 1 },
        ),
    },
    {
      name: 'a higher priority goes first, equals keep their order',
      run: (open) =>
        using(open, slow(slowLayers), async (session) => {
          const order: number[] = []
          const run = (value: number, priority: number): Promise<unknown> =>
            session.run(x(value), { priority }).then(() => order.push(value))
          await Promise.all([run(1, 0), run(2, 0), run(3, 0), run(4, 5), run(5, 5), run(6, -1)])
          equal(order.join(), '1,4,5,2,3,6', 'the order')
        }),
    },
  ]

  const moving: readonly SessionCase[] = [
    {
      name: "transfer: true moves the feeds' buffers, and a second use of them is INVALID_INPUT",
      run: (open) =>
        using(open, add(), async (session) => {
          const feeds = addFeeds(20_000, 4)
          const expected = (await add().compute(structuredClone(feeds))).sum as Tensor
          const { outputs } = await session.run(feeds, { transfer: true })
          sameTensor(outputs.sum, expected, tolerance, 'sum')
          equal(feeds.a.data.length, 0, "the moved feed's length")
          const error = await fails(session.run(feeds), 'INVALID_INPUT', 'a run with moved feeds')
          check(error.message.includes('transfer'), 'the message does not say why the data is gone')
        }),
    },
  ]

  return [...everywhere, ...(queue ? queued : []), ...(moves ? moving : [])]
}
