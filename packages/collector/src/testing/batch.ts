import {
  type Batch,
  type DropReason,
  type Series,
  type SketchRow,
  sketch,
  type WireSpan,
  wireVersion,
} from '@tandem/telemetry/wire'

/** A span of a sample batch; what is left out has a plain default. `startMs` counts from the batch's `wallMs`. */
export type SampleSpan = Partial<WireSpan> & Pick<WireSpan, 'traceId' | 'spanId'>

export interface SampleOptions {
  readonly service?: string
  readonly instance?: string
  readonly seq?: number
  readonly name?: string
  readonly model?: string
  readonly device?: string
  readonly place?: string
  /** Milliseconds by series, each recorded once. */
  readonly times?: { readonly [S in Series]?: readonly number[] }
  readonly spans?: readonly SampleSpan[]
  /** Milliseconds since 1970. */
  readonly wallMs?: number
  readonly recorded?: number
  readonly dropped?: { readonly [R in DropReason]?: number }
}

/** A batch as a recorder would send it. */
export function sampleBatch(options: SampleOptions = {}): Batch {
  const { spans = [], recorded = spans.length, dropped = {} } = options
  const dict: string[] = []
  const word = (text: string | undefined): number => {
    if (text === undefined) return -1
    const at = dict.indexOf(text)
    return at >= 0 ? at : dict.push(text) - 1
  }
  const column = (value: (span: SampleSpan) => number): number[] => spans.map(value)
  const micros = (ms: number): number => Math.round(ms * 1000)
  const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0)
  return {
    v: wireVersion,
    service: options.service ?? 'shop-web',
    instance: options.instance ?? '00000000000000a1',
    seq: options.seq ?? 0,
    environment: 'test',
    anchor: { wallMs: options.wallMs ?? 1_700_000_000_000, monoMs: 0 },
    ledger: { recorded, delivered: 0, pending: recorded - lost, dropped },
    sketches: rows(options, word),
    spans: {
      n: spans.length,
      trace: spans.map((span) => span.traceId).join(''),
      span: spans.map((span) => span.spanId).join(''),
      parent: spans.map((span) => span.parentSpanId ?? '0'.repeat(16)).join(''),
      start: column((span) => micros(span.startMs ?? 0)),
      duration: column((span) => micros(span.durationMs ?? 1)),
      name: column((span) => word(span.name ?? 'infer')),
      kind: column((span) => word(span.kind ?? 'internal')),
      model: column((span) => word(span.model)),
      device: column((span) => word(span.device)),
      place: column((span) => word(span.place)),
      why: column((span) => word(span.why)),
      sync: column((span) => word(span.sync)),
      outcome: column((span) => word(span.outcome ?? 'ok')),
      batchSize: -1,
      inputBytes: -1,
      outputBytes: -1,
      warm: 1,
      stages: {
        queue: column((span) => micros(span.stages?.queue ?? -0.001)),
        inference: column((span) => micros(span.stages?.inference ?? -0.001)),
        network: column((span) => micros(span.stages?.network ?? -0.001)),
      },
    },
    dict,
  }
}

function rows(options: SampleOptions, word: (text: string | undefined) => number): SketchRow[] {
  const { name = 'infer', model, device, place, times = {} } = options
  return (Object.entries(times) as [Series, readonly number[]][]).map(([series, values]) => {
    const figures = sketch()
    for (const value of values) figures.record(value)
    return {
      name: word(name),
      model: word(model),
      device: word(device),
      place: word(place),
      series,
      sketch: figures.toData(),
    }
  })
}
