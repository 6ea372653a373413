/// <reference lib="esnext.disposable" preserve="true" />
import { account } from './account.js'
import type { Ledger } from './batch.js'
import { type Clock, systemClock } from './clock.js'
import type { Exporter } from './exporter.js'
import { consoleExporter } from './exporters/console.js'
import { httpExporter } from './exporters/http.js'
import { ids, type Random } from './ids.js'
import { pipeline } from './pipeline.js'
import { type Policy, policyOf } from './policy.js'
import { recorder } from './recorder.js'
import type { Recorder, SpanContext } from './span.js'
import { type Stats, type StatsQuery, statsOf } from './stats.js'
import { type RunIn, type Trace, tracer } from './trace.js'
import { type Traced, tracedBy } from './traced.js'

/** Any field of the environment's policy can be set here; what is not set is the environment's. */
export type TelemetryOptions = { readonly [F in keyof Policy]?: Policy[F] | undefined } & {
  /** What this page or process is called on the dashboard. */
  readonly service: string
  /** The collector's address, `…/v1/batch`. Without it nothing leaves the process but through `exporters`. */
  readonly endpoint?: string | URL | undefined
  /** Where batches go besides `endpoint` and the console. A batch is delivered as far as each of them took it. */
  readonly exporters?: readonly Exporter[] | undefined
  /** `production`, `development`, or a name of yours, which is treated like production. */
  readonly environment?: string | undefined
  /** False turns everything off: `traced(fn)` is then `fn`. */
  readonly enabled?: boolean | undefined
  /** Bytes of batches that wait for a collector that is away; 2 MiB by default. The oldest give way. */
  readonly maxQueueBytes?: number | undefined
  /** Kept spans between two flushes; 16384 by default. The oldest give way. */
  readonly maxSpans?: number | undefined
  /** Sets of (name, model, device, place) with figures of their own; 1000 by default. The rest share one. */
  readonly maxSeries?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Replaces parts of the platform's clock, for tests. */
  readonly clock?: Partial<Clock> | undefined
  /** Fills an array with random numbers; `crypto.getRandomValues` by default. */
  readonly random?: Random | undefined
}

/** One recorder with everything that hangs on it. The functions can be taken off it: `const { trace, traced, stats } = telemetry(…)`. */
export interface Telemetry extends Recorder, AsyncDisposable {
  readonly service: string
  readonly environment: string
  readonly trace: Trace
  readonly traced: Traced
  /** Figures of every call so far that matches, of `stage` or in total. */
  stats(query?: StatsQuery): Stats
  /** What became of every span so far: recorded = delivered + pending + Σ dropped. */
  ledger(): Ledger
  /** Sends what was recorded so far; resolves once it is delivered or lost, or after `deadlineMs` (5000). Never rejects. */
  flush(options?: { readonly deadlineMs?: number | undefined }): Promise<void>
  /** Sends what it can within 2 s, counts the rest as lost, and stops. Twice is once. Never rejects. */
  shutdown(): Promise<void>
}

/** The surrounding trace, where it follows `await` by itself. */
export interface Ambient {
  current(): SpanContext | undefined
  readonly runIn: RunIn
}

/** What a platform adds. */
export interface Platform {
  /** The environment unless the options name one. */
  readonly environment: string
  readonly clock?: Clock | undefined
  readonly ambient?: Ambient | undefined
  /** Calls `leave` each time the page may be going away; the returned function stops that. */
  readonly onLeave?: ((leave: () => void) => () => void) | undefined
}

const flushDeadlineMs = 5000
const shutdownDeadlineMs = 2000
const defaultMaxSpans = 16_384
const defaultMaxSeries = 1000

export function createTelemetry(options: TelemetryOptions, platform: Platform): Telemetry {
  const { service, enabled = true, environment = platform.environment } = options
  const { random = (bytes) => crypto.getRandomValues(bytes) } = options
  const clock: Clock = { ...(platform.clock ?? systemClock), ...options.clock }
  const policy = policyOf(environment, options)
  const ambient = platform.ambient
  const counts = account()
  const pool = ids(random)
  const exporters = enabled ? exportersOf(options, policy, clock) : []

  const live = recorder({
    policy,
    ids: pool,
    account: counts,
    capacity: options.maxSpans ?? defaultMaxSpans,
    maxSeries: options.maxSeries ?? defaultMaxSeries,
    ambient: () => ambient?.current(),
    recorded: () => pipe.nudge(),
  })
  const pipe = pipeline({
    service,
    environment,
    instance: pool.next(8),
    flushIntervalMs: policy.flushIntervalMs,
    clock,
    exporters,
    recorder: live,
    account: counts,
  })
  const stopListening = exporters.length > 0 ? platform.onLeave?.(() => pipe.exit()) : undefined
  const trace = tracer(live, clock, ambient?.runIn ?? ((_, work) => work()))
  let ending: Promise<void> | undefined

  const shutdown = (): Promise<void> => {
    stopListening?.()
    ending ??= pipe.shutdown(shutdownDeadlineMs)
    return ending
  }
  return {
    service,
    environment,
    child: live.child,
    record: enabled ? live.record : () => {},
    trace: enabled ? trace : (_, work, { parent } = {}) => work(live.child(parent)),
    traced: tracedBy(enabled ? trace : undefined),
    stats: (query = {}) => statsOf(live.series, query),
    ledger: pipe.ledger,
    flush: ({ deadlineMs = flushDeadlineMs } = {}) => pipe.flush(deadlineMs),
    shutdown,
    [Symbol.asyncDispose]: shutdown,
  }
}

function exportersOf(options: TelemetryOptions, policy: Policy, clock: Clock): readonly Exporter[] {
  const { endpoint, fetch, random, maxQueueBytes, exporters = [] } = options
  const all: Exporter[] = [...exporters]
  if (policy.log !== 'none') all.push(consoleExporter(policy.log === 'slow' ? { slowMs: policy.slowMs } : {}))
  if (endpoint !== undefined) all.push(httpExporter({ url: endpoint, clock, fetch, random, maxQueueBytes }))
  return all
}
