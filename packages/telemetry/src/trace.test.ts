import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { ambient } from './ambient.node.js'
import type { WireSpan } from './decode.js'
import { memoryExporter } from './exporters/memory.js'
import { createTelemetry, type Platform, type TelemetryOptions } from './telemetry.js'
import { manualClock } from './testing/clock.js'

function start(options: Partial<TelemetryOptions> = {}, platform: Partial<Platform> = {}) {
  const clock = manualClock()
  const memory = memoryExporter()
  const t = createTelemetry(
    { service: 'test', log: 'none', clock, exporters: [memory], ...options },
    { environment: 'development', ...platform },
  )
  const spans = async (): Promise<WireSpan[]> => {
    await t.flush()
    return memory.spans()
  }
  return { ...t, t, clock, spans }
}

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
    const { trace, clock, spans } = start()
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
    const { trace, clock, spans } = start()
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
    const { t, trace, spans } = start()
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
    const { trace, spans } = start()
    trace('warm', () => {}, { model: 'mobilenet', device: 'wasm', place: 'local', why: 'no adapter' })
    expect(await spans()).toMatchObject([
      { model: 'mobilenet', device: 'wasm', place: 'local', why: 'no adapter' },
    ])
  })

  test('throws what the work throws, at once or later, and records how it ended', async () => {
    const { trace, spans } = start()
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
    const { trace } = start()
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
    const { trace } = start()
    const query = new Lazy()
    expect(trace('query', () => query)).toBe(query)
    expect(query.looked).toBe(0)
  })

  test('children start and end within their parent, however short', async () => {
    const { trace, spans } = start({ clock: { now: () => performance.now() } })
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
    const { t, trace, spans } = start({}, { ambient: ambient() })
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
    const { t, trace } = start({}, { ambient: ambient() })
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
    const { t, trace } = start({}, { ambient: ambient() })
    const header = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true }
    trace('outer', () =>
      expect(t.child(header)).toMatchObject({ traceId: header.traceId, parentSpanId: header.spanId }),
    )
  })
})

describe('traced', () => {
  test('calls are spans under the function’s name, or a given one', async () => {
    const { traced, spans } = start()
    function add(a: number, b: number): number {
      return a + b
    }
    expect(traced(add)(1, 2)).toBe(3)
    expect(traced('sum', add)(3, 4)).toBe(7)
    expect(traced(add, { name: 'plus', model: 'm' })(5, 6)).toBe(11)
    traced(() => {})()
    expect((await spans()).map(({ name, model }) => [name, model])).toEqual([
      ['add', undefined],
      ['sum', undefined],
      ['plus', 'm'],
      ['anonymous', undefined],
    ])
  })

  test('keeps type, name and length', () => {
    const { traced } = start()
    const generic = <T>(value: T, _other: string): T => value
    const wrapped = traced('generic', generic)
    expectTypeOf(wrapped).toEqualTypeOf(generic)
    expect(wrapped.name).toBe('generic')
    expect(wrapped.length).toBe(2)
  })

  test('keeps this, private fields and super', () => {
    const { traced } = start()
    class Counter {
      #count = 1
      bump(this: Counter, by: number): number {
        this.#count += by
        return this.#count
      }
      static make = traced('make', () => new Counter())
    }
    Counter.prototype.bump = traced('bump', Counter.prototype.bump)
    class Twice extends Counter {
      override bump(by: number): number {
        return super.bump(by * 2)
      }
    }
    expect(Counter.make().bump(2)).toBe(3)
    expect(new Twice().bump(2)).toBe(5)
  })

  test('recursion is a span for each call', async () => {
    const { traced, spans } = start()
    const factorial: (n: number) => number = traced('factorial', (n: number) =>
      n < 2 ? 1 : n * factorial(n - 1),
    )
    expect(factorial(4)).toBe(24)
    expect((await spans()).length).toBe(4)
  })

  test('async functions end when they settle, and reject with what they reject with', async () => {
    const { traced, clock, spans } = start()
    const slow = traced('slow', async (fail: boolean) => {
      await null
      clock.advance(30)
      if (fail) throw new RangeError('too far')
      return 'ok'
    })
    expect(await slow(false)).toBe('ok')
    await expect(slow(true)).rejects.toThrow(RangeError)
    expect(await spans()).toMatchObject([
      { durationMs: 30, outcome: 'ok' },
      { durationMs: 30, outcome: 'RangeError' },
    ])
  })

  test('twice is once', async () => {
    const { traced, spans } = start()
    const once = traced('once', () => 1)
    expect(traced('again', once)).toBe(once)
    once()
    expect((await spans()).length).toBe(1)
  })

  test('off, is the function itself, and trace only calls', async () => {
    const { t, traced, trace, record, child, spans } = start({ enabled: false })
    const fn = (): number => 1
    expect(traced(fn)).toBe(fn)
    expect(traced('name', fn)).toBe(fn)
    expect(trace('name', (context) => context.traceId.length)).toBe(32)
    record({ context: child(), name: 'infer', kind: 'internal', startMs: 0, durationMs: 1, outcome: 'ok' })
    expect(await spans()).toEqual([])
    expect(t.ledger().recorded).toBe(0)
  })
})

describe('@traced()', () => {
  // Applied as a compiler does it: the toolchain of these tests leaves the syntax alone.
  const context = (kind: string, name: string) =>
    ({ kind, name, static: false, private: false, metadata: {} }) as never

  test('names the span after the method, which minifiers keep, or as it is told', async () => {
    const { traced, spans } = start()
    function m(this: { base: number }, by: number): number {
      return this.base + by
    }
    const method = traced()(m, context('method', 'classify'))
    expectTypeOf(method).parameter(0).toBeNumber()
    expect(method.call({ base: 1 }, 2)).toBe(3)
    traced('detect')(m, context('method', 'classify')).call({ base: 1 }, 2)
    traced({ name: 'segment', device: 'wasm' })(m, context('method', 'classify')).call({ base: 1 }, 2)
    expect((await spans()).map(({ name }) => name)).toEqual(['classify', 'detect', 'segment'])
  })

  test.each(['getter', 'setter', 'field', 'class', 'accessor'])('on a %s says what to do instead', (kind) => {
    const { traced } = start()
    expect(() => traced()(() => 1, context(kind, 'x'))).toThrow(/for methods.*traced\(fn\)/)
  })

  test('by a compiler’s legacy decorators says so', () => {
    const { traced } = start()
    expect(() => Reflect.apply(traced(), undefined, [class {}.prototype, 'method', {}])).toThrow(
      /experimentalDecorators/,
    )
  })
})

describe('generators', () => {
  test('end when they are done, and give everything on', async () => {
    const { traced, clock, spans } = start()
    const count = traced('count', function* (to: number): Generator<number, string> {
      for (let i = 0; i < to; i++) {
        clock.advance(10)
        yield i
      }
      return 'end'
    })
    const items = count(3)
    expect([...items]).toEqual([0, 1, 2])
    expect(await spans()).toMatchObject([{ name: 'count', durationMs: 30, outcome: 'ok' }])
  })

  test('left early end then, after their own finally', async () => {
    const { traced, spans } = start()
    const closed = vi.fn()
    const endless = traced('endless', function* () {
      try {
        for (let i = 0; ; i++) yield i
      } finally {
        closed()
      }
    })
    for (const i of endless()) if (i === 2) break
    expect(closed).toHaveBeenCalledOnce()
    expect(await spans()).toMatchObject([{ name: 'endless', outcome: 'ok' }])
  })

  test('async ones are followed to the last item, and see the surrounding trace in each step', async () => {
    const { t, traced, clock, spans } = start({}, { ambient: ambient() })
    const parents: (string | undefined)[] = []
    const tokens = traced('tokens', async function* () {
      for (let i = 0; i < 3; i++) {
        await null
        parents.push(t.child().parentSpanId)
        clock.advance(5)
        yield i
      }
    })
    for await (const _ of tokens()) clock.advance(1)
    const [span] = await spans()
    expect(span).toMatchObject({ name: 'tokens', durationMs: 18, sync: 'await' })
    expect(parents).toEqual([span?.spanId, span?.spanId, span?.spanId])
  })

  test('that throw, at once or later, end with that', async () => {
    const { traced, spans } = start()
    const bad = traced('bad', function* () {
      yield 1
      throw new RangeError('no')
    })
    const worse = traced('worse', async function* () {
      yield 1
      throw new TypeError('no')
    })
    expect(() => [...bad()]).toThrow(RangeError)
    await expect(async () => {
      for await (const _ of worse());
    }).rejects.toThrow(TypeError)
    expect((await spans()).map(({ outcome }) => outcome)).toEqual(['RangeError', 'TypeError'])
  })

  test('never iterated are no span', async () => {
    const { traced, spans } = start()
    traced('never', function* () {
      yield 1
    })()
    expect(await spans()).toEqual([])
  })
})
