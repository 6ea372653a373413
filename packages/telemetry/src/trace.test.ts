import { describe, expect, expectTypeOf, test } from 'vitest'
import { ambient } from './ambient.node.js'
import { recording } from './testing/recording.js'

class Lazy {
  looked = 0
  // biome-ignore lint/suspicious/noThenProperty: the lazy query of a database library is what this stands for
  get then(): undefined {
    this.looked++
    return undefined
  }
}

describe('trace', () => {
  test('gives back what the work gives back, and records how long it took', async () => {
    const { trace, clock, spans } = recording()
    const value = trace('sum', () => {
      clock.advance(12.5)
      return 42
    })
    expectTypeOf(value).toBeNumber()
    expect(value).toBe(42)
    expect(await spans()).toMatchObject([
      { name: 'sum', durationMs: 12.5, outcome: 'ok', sync: 'none', kind: 'internal' },
    ])
  })

  test('of a promise ends when it settles', async () => {
    const { trace, clock, spans } = recording()
    const result = trace('load', async () => {
      clock.advance(5)
      await null
      clock.advance(7)
      return 'done'
    })
    expectTypeOf(result).resolves.toBeString()
    expect(await result).toBe('done')
    expect(await spans()).toMatchObject([{ name: 'load', durationMs: 12, sync: 'await' }])
  })

  test('passes its context on: explicit children join it, whatever was awaited before', async () => {
    const { t, trace, spans } = recording()
    await trace('outer', async (outer) => {
      await null
      await trace('inner', async () => {}, { parent: outer })
      t.record({
        context: t.child(outer),
        name: 'infer',
        kind: 'client',
        startMs: 0,
        durationMs: 1,
        outcome: 'ok',
      })
    })
    const [inner, infer, outer] = await spans()
    expect(inner).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId, name: 'inner' })
    expect(infer).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId, kind: 'client' })
    expect(outer?.parentSpanId).toBeUndefined()
  })

  test('takes labels', async () => {
    const { trace, spans } = recording()
    trace('warm', () => {}, { model: 'mobilenet', device: 'wasm', place: 'local', why: 'no adapter' })
    expect(await spans()).toMatchObject([
      { model: 'mobilenet', device: 'wasm', place: 'local', why: 'no adapter' },
    ])
  })

  test('throws what the work throws, at once or later, and records how it ended', async () => {
    const { trace, spans } = recording()
    const coded = Object.assign(new Error('late'), { code: 'DEADLINE' })
    expect(() =>
      trace('sync', () => {
        throw new TypeError('no')
      }),
    ).toThrow('no')
    await expect(trace('async', () => Promise.reject(coded))).rejects.toBe(coded)
    await expect(trace('aborted', () => Promise.reject(AbortSignal.abort().reason))).rejects.toThrow()
    await expect(
      trace('timeout', () => Promise.reject(new DOMException('', 'TimeoutError'))),
    ).rejects.toThrow()
    await expect(trace('text', () => Promise.reject('a sentence with a secret'))).rejects.toBe(
      'a sentence with a secret',
    )
    const outcomes = (await spans()).map(({ name, outcome }) => [name, outcome])
    expect(outcomes).toEqual([
      ['sync', 'TypeError'],
      ['async', 'DEADLINE'],
      ['aborted', 'cancelled'],
      ['timeout', 'TimeoutError'],
      ['text', 'error'],
    ])
  })

  test('hides no rejection that nobody handles, and adds none', async () => {
    const { trace } = recording()
    const seen: unknown[] = []
    const listeners = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', (reason) => seen.push(reason))
    void trace('lost', () => Promise.reject('nobody listens'))
    await trace('handled', () => Promise.reject('somebody does')).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve))
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
    expect(seen).toEqual(['nobody listens'])
  })

  test('leaves a thenable that is no promise alone', () => {
    const { trace } = recording()
    const query = new Lazy()
    expect(trace('query', () => query)).toBe(query)
    expect(query.looked).toBe(0)
  })

  test('children start and end within their parent, however short', async () => {
    const { trace, spans } = recording({ clock: { now: () => performance.now() } })
    for (let i = 0; i < 200; i++) trace('outer', (outer) => trace('inner', () => {}, { parent: outer }))
    const all = await spans()
    for (let i = 0; i < all.length; i += 2) {
      const [inner, outer] = [all[i], all[i + 1]]
      if (inner === undefined || outer === undefined) throw new Error('a span is missing')
      // Start and duration are rounded to the microsecond each.
      expect(inner.startMs - outer.startMs).toBeGreaterThanOrEqual(-0.002)
      expect(outer.startMs + outer.durationMs - inner.startMs - inner.durationMs).toBeGreaterThanOrEqual(
        -0.002,
      )
    }
  })
})

describe('the surrounding trace in Node', () => {
  test('follows await, timers and callbacks by itself, and ends with the work', async () => {
    const { t, trace, spans } = recording({}, { ambient: ambient() })
    await trace('outer', async () => {
      await null
      await new Promise((resolve) => setTimeout(resolve))
      await trace('inner', async () => {
        await null
        t.record({
          context: t.child(),
          name: 'infer',
          kind: 'internal',
          startMs: 0,
          durationMs: 1,
          outcome: 'ok',
        })
      })
    })
    expect(t.child().parentSpanId).toBeUndefined()
    const [infer, inner, outer] = await spans()
    expect(infer?.parentSpanId).toBe(inner?.spanId)
    expect(inner?.parentSpanId).toBe(outer?.spanId)
    expect(new Set([infer, inner, outer].map((span) => span?.traceId)).size).toBe(1)
  })

  test('keeps calls that run at once apart', async () => {
    const { t, trace } = recording({}, { ambient: ambient() })
    const parents = await Promise.all(
      [1, 2, 3].map(() =>
        trace('outer', async (outer) => {
          await new Promise((resolve) => setTimeout(resolve))
          return [outer.spanId, t.child().parentSpanId]
        }),
      ),
    )
    for (const [own, found] of parents) expect(found).toBe(own)
  })

  test('is the given one’s where one is given', () => {
    const { t, trace } = recording({}, { ambient: ambient() })
    const header = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true }
    trace('outer', () =>
      expect(t.child(header)).toMatchObject({ traceId: header.traceId, parentSpanId: header.spanId }),
    )
  })
})
