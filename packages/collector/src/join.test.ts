import { describe, expect, it } from 'vitest'
import type { KeptSpan } from './join.js'
import { joinTrace } from './join.js'

const traceId = 'a'.repeat(32)

function span(spanId: string, parentSpanId: string | undefined, more: Partial<KeptSpan> = {}): KeptSpan {
  return {
    traceId,
    spanId,
    parentSpanId,
    service: 'shop-web',
    instance: 'page',
    name: spanId,
    kind: 'internal',
    startMs: 1000,
    durationMs: 10,
    stages: {},
    model: undefined,
    device: undefined,
    place: undefined,
    why: undefined,
    sync: undefined,
    outcome: 'ok',
    batchSize: undefined,
    inputBytes: undefined,
    outputBytes: undefined,
    warm: undefined,
    ...more,
  }
}

const tree = (spans: readonly KeptSpan[]) =>
  joinTrace(traceId, spans).spans.map(({ spanId, depth }) => `${'  '.repeat(depth)}${spanId}`)

describe('joinTrace', () => {
  it('joins browser and server into one tree, whichever arrived first', () => {
    const spans = [
      span('serve', 'infer', { service: 'server', instance: 'server', startMs: 1012, durationMs: 5 }),
      span('infer', 'root', { startMs: 1010, durationMs: 8 }),
      span('root', undefined, { durationMs: 20 }),
      span('preprocess', 'root', { startMs: 1001, durationMs: 4 }),
    ]
    expect(tree(spans)).toEqual(['root', '  preprocess', '  infer', '    serve'])
    const trace = joinTrace(traceId, spans)
    expect(trace).toMatchObject({ startMs: 1000, durationMs: 20, services: ['shop-web', 'server'] })
    expect(trace.spans.at(-1)).toMatchObject({ startMs: 12, shiftedMs: 0 })
  })

  it.each([-8 * 3_600_000, 8 * 3_600_000, -6, 6])(
    'never trusts two clocks against each other: a server %d ms off lies inside its caller',
    (offMs) => {
      const { spans, durationMs } = joinTrace(traceId, [
        span('infer', undefined, { durationMs: 20 }),
        span('serve', 'infer', { instance: 'server', startMs: 1005 + offMs * 10, durationMs: 10 }),
        span('inner', 'serve', { instance: 'server', startMs: 1007 + offMs * 10, durationMs: 2 }),
      ])
      expect(durationMs).toBe(20)
      expect(spans.map(({ startMs }) => startMs)).toEqual([0, 5, 7])
      expect(spans[1]?.shiftedMs).toBe(-offMs * 10)
    },
  )

  it('says what no stage explains', () => {
    const [root, child] = joinTrace(traceId, [
      span('root', undefined),
      span('infer', 'root', { stages: { queue: 1, inference: 6 } }),
    ]).spans
    expect(root?.unattributedMs).toBeUndefined()
    expect(child?.unattributedMs).toBe(3)
  })

  it('shows orphans, rings and a span that is its own parent as roots, each span once', () => {
    expect(
      tree([span('orphan', 'never-came'), span('self', 'self'), span('a', 'b'), span('b', 'a')]),
    ).toEqual(['orphan', 'self', 'a', '  b'])
  })

  it('walks a chain of 20 000 without running out of stack', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => span(`s${i}`, i === 0 ? undefined : `s${i - 1}`))
    expect(joinTrace(traceId, chain).spans.at(-1)?.depth).toBe(19_999)
  })
})
