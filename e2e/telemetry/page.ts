import { type Telemetry, telemetry } from '@tandem/telemetry'

declare global {
  interface Window {
    t: Telemetry
    /** Records so many inferences of 5 ms and more, the last one the slowest. */
    infer(count: number): void
  }
}

const endpoint = new URLSearchParams(location.search).get('collector') ?? undefined

// An interval that no test lives to see: what arrives, arrives because the page goes.
window.t = telemetry({
  service: 'page',
  endpoint,
  environment: 'development',
  log: 'none',
  flushIntervalMs: 3_600_000,
})

window.infer = (count) => {
  for (let i = 0; i < count; i++) {
    window.t.record({
      context: window.t.child(),
      name: 'infer',
      kind: 'internal',
      startMs: performance.now(),
      durationMs: 5 + i,
      stages: { queue: 0.1, input: 0.2, inference: 4 + i, output: 0.3 },
      model: 'mobilenet',
      device: 'wasm',
      place: 'local',
      sync: 'await',
      outcome: 'ok',
    })
  }
}
document.title = 'ready'
