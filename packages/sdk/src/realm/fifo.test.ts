import { describe, expect, it } from 'vitest'
import { InferenceError } from '../error.js'
import type { Clock, Timer } from './clock.js'
import { fifo, type Lane, newLane } from './fifo.js'

/** A clock that stands until it is moved. */
function handClock(): Clock & { advance(ms: number): void } {
  let now = 0
  const timers = new Set<{ at: number; callback: () => void }>()
  return {
    now: () => now,
    setTimeout(callback, delayMs) {
      const timer = { at: now + delayMs, callback }
      timers.add(timer)
      return timer as Timer
    },
    clearTimeout: (handle) => void timers.delete(handle as { at: number; callback: () => void }),
    advance(ms) {
      now += ms
      for (const timer of [...timers]) if (timer.at <= now && timers.delete(timer)) timer.callback()
    },
  }
}

/** Work that ends when told. */
function job<T>(): {
  work: () => Promise<T>
  started: () => boolean
  end: (value: T) => void
  fail: (error: unknown) => void
} {
  const { promise, resolve, reject } = withResolvers<T>()
  let started = false
  return {
    work() {
      started = true
      return promise
    },
    started: () => started,
    end: resolve,
    fail: reject,
  }
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

const lane = (maxQueue = 10, name = 'net'): Lane => newLane(name, maxQueue)
const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  )

describe('the queue of a realm', () => {
  it('runs one thing at a time, in order, and says how long each waited', async () => {
    const clock = handClock()
    const queue = fifo(clock)
    const [first, net] = [job<string>(), lane()]
    const one = queue.push(net, () => first.work)
    const two = queue.push(net, () => async (waitedMs) => waitedMs)
    expect(net.waiting).toBe(1)
    clock.advance(30)
    first.end('done')
    expect(await Promise.all([one, two])).toEqual(['done', 30])
    expect(net.waiting).toBe(0)
  })

  it('a failure is its own call’s only', async () => {
    const queue = fifo(handClock())
    const [bad, net] = [job(), lane()]
    const codes = Promise.all([
      code(queue.push(net, () => bad.work)),
      code(queue.push(net, () => async () => 1)),
    ])
    bad.fail(new InferenceError('OUT_OF_MEMORY', 'too large'))
    expect(await codes).toEqual(['OUT_OF_MEMORY', 'ok'])
  })

  it('an aborted running call rejects at once and keeps its turn until it ends', async () => {
    const queue = fifo(handClock())
    const [running, next, net, abort] = [job<number>(), job<number>(), lane(), new AbortController()]
    const first = queue.push(net, () => running.work, { signal: abort.signal })
    const second = queue.push(net, () => next.work)
    const reason = new Error('mine')
    abort.abort(reason)
    await expect(first).rejects.toBe(reason)
    expect(next.started()).toBe(false)
    running.end(1)
    next.end(2)
    expect(await second).toBe(2)
  })

  it('an aborted waiting call leaves at once, and makes room', async () => {
    const queue = fifo(handClock())
    const [running, never, net, abort] = [job<number>(), job<number>(), lane(1), new AbortController()]
    const first = queue.push(net, () => running.work)
    const second = queue.push(net, () => never.work, { signal: abort.signal })
    expect(await code(queue.push(net, () => never.work))).toBe('QUEUE_FULL')
    abort.abort('enough')
    await expect(second).rejects.toBe('enough')
    const third = queue.push(net, () => async () => 3)
    running.end(1)
    expect(await Promise.all([first, third])).toEqual([1, 3])
    expect(never.started()).toBe(false)
  })

  it('a deadline counts waiting and running', async () => {
    const clock = handClock()
    const queue = fifo(clock)
    const [running, never, net] = [job<number>(), job<number>(), lane()]
    const first = code(queue.push(net, () => running.work, { deadlineMs: 50 }))
    const second = code(queue.push(net, () => never.work, { deadlineMs: 20 }))
    const third = queue.push(net, () => async () => 3, { deadlineMs: Number.POSITIVE_INFINITY })
    clock.advance(20)
    expect(await second).toBe('DEADLINE')
    clock.advance(30)
    expect(await first).toBe('DEADLINE')
    running.end(1)
    expect(await third).toBe(3)
    expect(never.started()).toBe(false)
    expect(await code(queue.push(net, () => never.work, { deadlineMs: Number.NaN }))).toBe('INVALID_INPUT')
    expect(await code(queue.push(net, () => never.work, { priority: Number.NaN }))).toBe('INVALID_INPUT')
  })

  it('a deadline holds even where the work blocked the timer', async () => {
    const clock = handClock()
    const blocking = async (): Promise<void> => clock.advance(0)
    const queue = fifo({ ...clock, setTimeout: () => ({}) as Timer })
    const late = async (): Promise<void> => {
      clock.advance(11)
      return blocking()
    }
    expect(await code(queue.push(lane(), () => late, { deadlineMs: 10 }))).toBe('DEADLINE')
  })

  it('takes higher priorities first, equals in order', async () => {
    const queue = fifo(handClock())
    const [running, net, order] = [job<void>(), lane(), [] as number[]]
    const all = [queue.push(net, () => running.work)]
    for (const [value, priority] of [
      [1, 0],
      [2, 5],
      [3, 5],
      [4, -1],
      [5, 0],
    ] as const) {
      all.push(queue.push(net, () => async () => void order.push(value), { priority }))
    }
    running.end()
    await Promise.all(all)
    expect(order).toEqual([2, 3, 1, 5, 4])
  })

  it('counts each lane for itself, and drops one without the other', async () => {
    const queue = fifo(handClock())
    const [running, mine, other] = [job<number>(), lane(1, 'mine'), lane(1, 'other')]
    const first = queue.push(mine, () => running.work)
    const waiting = code(queue.push(mine, () => async () => 2))
    const kept = queue.push(other, () => async () => 3)
    queue.drop(mine, new InferenceError('DISPOSED', 'gone'))
    expect(await waiting).toBe('DISPOSED')
    running.end(1)
    expect(await Promise.all([first, kept])).toEqual([1, 3])
  })

  it('when it ends, everything rejects: running, waiting, later', async () => {
    const queue = fifo(handClock())
    const [running, net, busy] = [job<number>(), lane(), [] as boolean[]]
    queue.onBusy = (now) => busy.push(now)
    const codes = [code(queue.push(net, () => running.work)), code(queue.push(net, () => async () => 2))]
    queue.end(new InferenceError('REALM_CRASHED', 'died'))
    queue.end(new InferenceError('DISPOSED', 'too late'))
    expect(await Promise.all([...codes, code(queue.push(net, () => async () => 3))])).toEqual(
      new Array(3).fill('REALM_CRASHED'),
    )
    expect(busy).toEqual([true, false])
    expect(net.waiting).toBe(0)
  })

  it('says when it is busy and when not', async () => {
    const queue = fifo(handClock())
    const busy: boolean[] = []
    queue.onBusy = (now) => busy.push(now)
    await Promise.all([queue.push(lane(), () => async () => 1), queue.push(lane(), () => async () => 2)])
    await queue.push(lane(), () => async () => 3)
    expect(busy).toEqual([true, false, true, false])
  })

  it('leaves no listener behind on a long-lived signal', async () => {
    const queue = fifo(handClock())
    const { signal } = new AbortController()
    let listeners = 0
    const counted = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') listeners++
        if (name === 'removeEventListener') listeners--
        const value = Reflect.get(target, name, target) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    for (let call = 0; call < 5; call++) await queue.push(lane(), () => async () => call, { signal: counted })
    expect(listeners).toBe(0)
  })
})
