import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { ambient } from './ambient.node.js'
import { recording } from './testing/recording.js'

describe('traced', () => {
  test('calls are spans under the function’s name, or a given one', async () => {
    const { traced, spans } = recording()
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
    const { traced } = recording()
    const generic = <T>(value: T, _other: string): T => value
    const wrapped = traced('generic', generic)
    expectTypeOf(wrapped).toEqualTypeOf(generic)
    expect(wrapped.name).toBe('generic')
    expect(wrapped.length).toBe(2)
  })

  test('keeps this, private fields and super', () => {
    const { traced } = recording()
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
    const { traced, spans } = recording()
    const factorial: (n: number) => number = traced('factorial', (n: number) =>
      n < 2 ? 1 : n * factorial(n - 1),
    )
    expect(factorial(4)).toBe(24)
    expect((await spans()).length).toBe(4)
  })

  test('async functions end when they settle, and reject with what they reject with', async () => {
    const { traced, clock, spans } = recording()
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
    const { traced, spans } = recording()
    const once = traced('once', () => 1)
    expect(traced('again', once)).toBe(once)
    once()
    expect((await spans()).length).toBe(1)
  })

  test('off, is the function itself, and trace only calls', async () => {
    const { t, traced, trace, record, child, spans } = recording({ enabled: false })
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
    const { traced, spans } = recording()
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
    const { traced } = recording()
    expect(() => traced()(() => 1, context(kind, 'x'))).toThrow(/for methods.*traced\(fn\)/)
  })

  test('by a compiler’s legacy decorators says so', () => {
    const { traced } = recording()
    expect(() => Reflect.apply(traced(), undefined, [class {}.prototype, 'method', {}])).toThrow(
      /experimentalDecorators/,
    )
  })
})

describe('generators', () => {
  test('end when they are done, and give everything on', async () => {
    const { traced, clock, spans } = recording()
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
    const { traced, spans } = recording()
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
    const { t, traced, clock, spans } = recording({}, { ambient: ambient() })
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
    const { traced, spans } = recording()
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
    const { traced, spans } = recording()
    traced('never', function* () {
      yield 1
    })()
    expect(await spans()).toEqual([])
  })
})
