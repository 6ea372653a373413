import { describe, expect, it } from 'vitest'
import { memoryCollector, sampleBatch } from './testing.js'

const id = (n: number) => n.toString(16).padStart(32, '0')
const spanId = (n: number) => n.toString(16).padStart(16, '0')

function taking(limits: { traces?: number; spans?: number; spansPerTrace?: number }) {
  const { state } = memoryCollector({ limits })
  let seq = 0
  return {
    traces: state.traces,
    send: (...spans: [trace: number, span: number][]) =>
      state.add(
        sampleBatch({ seq: seq++, spans: spans.map(([t, s]) => ({ traceId: id(t), spanId: spanId(s) })) }),
        0,
      ),
  }
}

describe('traces', () => {
  it('lists the latest first and forgets the oldest beyond the limit', () => {
    const { traces, send } = taking({ traces: 2 })
    send([1, 1], [2, 2])
    send([1, 3])
    send([4, 4])
    expect(traces.recent(10).map(({ traceId, spans }) => [traceId, spans])).toEqual([
      [id(4), 1],
      [id(1), 2],
    ])
    expect(traces.get(id(2))).toBeUndefined()
    expect(traces.recent(1)).toHaveLength(1)
  })

  it('bounds the spans of one trace and of all, and says what it left out', () => {
    const { traces, send } = taking({ spansPerTrace: 3, spans: 5 })
    send([1, 1], [1, 2], [1, 3], [1, 4], [1, 5])
    expect(traces.get(id(1))).toMatchObject({ leftOut: 2, spans: [{}, {}, {}] })
    send([2, 6], [2, 7], [2, 8])
    expect(traces.size()).toEqual({ traces: 1, spans: 3 })
    expect(traces.get(id(1))).toBeUndefined()
  })

  it('keeps the first of two spans with one id', () => {
    const { traces, send } = taking({})
    send([1, 1], [1, 1])
    expect(traces.get(id(1))?.spans).toHaveLength(1)
  })

  it('sums a trace up by the call that went well, and by its failure', () => {
    const { state } = memoryCollector()
    const traceId = id(9)
    const call = { traceId, parentSpanId: spanId(1), model: 'blazeface' }
    state.add(
      sampleBatch({
        spans: [
          { traceId, spanId: spanId(1), name: 'detect', durationMs: 30 },
          { ...call, spanId: spanId(2), startMs: 1, device: 'webgpu', outcome: 'DEVICE_LOST' },
          { ...call, spanId: spanId(3), startMs: 5, device: 'wasm', place: 'local' },
        ],
      }),
      0,
    )
    expect(state.traces.recent(1)).toMatchObject([
      {
        name: 'detect',
        durationMs: 30,
        spans: 3,
        model: 'blazeface',
        device: 'wasm',
        outcome: 'DEVICE_LOST',
      },
    ])
  })
})
