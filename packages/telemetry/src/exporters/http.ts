import type { DropReason } from '../batch.js'
import { type Clock, systemClock } from '../clock.js'
import type { Delivery, Exporter } from '../exporter.js'
import type { Random } from '../ids.js'
import { retryDelayMs } from './retry.js'
import { readVerdict, type Verdict } from './verdict.js'

export interface HttpOptions {
  /** The collector's `…/v1/batch`. */
  readonly url: string | URL
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  readonly clock?: Clock | undefined
  /** Spreads retries; `crypto.getRandomValues` by default. */
  readonly random?: Random | undefined
  /** Bytes of waiting batches; 2 MiB by default. The oldest give way. */
  readonly maxQueueBytes?: number | undefined
  /** How long one request may take; 10 s by default. */
  readonly timeoutMs?: number | undefined
  /** Tries before a batch is given up; 8 by default, which takes one to two minutes. */
  readonly maxAttempts?: number | undefined
  /** Told of trouble, once a minute at most; `console.warn` by default. */
  readonly warn?: ((message: string) => void) | undefined
}

/** Chromium refuses requests that outlive their page once 64 KiB of them are underway; the rest is for others on the page. */
const keepaliveBytes = 60 * 1024
const warnEveryMs = 60_000

interface Entry {
  readonly spans: number
  readonly body: Uint8Array<ArrayBuffer>
  attempts: number
  underway: boolean
  settle(delivery: Delivery): void
}

/** Posts batches to a collector, one at a time, each again until it is answered, given up, or pushed out by newer ones. */
export function httpExporter(options: HttpOptions): Exporter {
  const { clock = systemClock, random = (bytes) => crypto.getRandomValues(bytes) } = options
  const { maxQueueBytes = 2 ** 21, timeoutMs = 10_000, maxAttempts = 8 } = options
  const url = String(options.url)
  const queue: Entry[] = []
  let queuedBytes = 0
  let bytesKeptAlive = 0
  let failures = 0
  let running = false
  let ended = false
  let ending = false
  let flight: AbortController | undefined
  let endPause: (() => void) | undefined
  let drained: (() => void) | undefined
  let warnedAt = Number.NEGATIVE_INFINITY

  const warn = (trouble: string): void => {
    if (clock.now() - warnedAt < warnEveryMs) return
    warnedAt = clock.now()
    // biome-ignore lint/suspicious/noConsole: where it says, at most once a minute, that it cannot deliver
    const tell = options.warn ?? ((message: string) => console.warn(message))
    tell(`telemetry: ${url} ${trouble} (said once a minute, counted in ledger())`)
  }

  const settle = (entry: Entry, delivery: Delivery): void => {
    const place = queue.indexOf(entry)
    if (place < 0) return
    queue.splice(place, 1)
    queuedBytes -= entry.body.length
    entry.settle(delivery)
    if (queue.length === 0) drained?.()
  }

  const lose = (entry: Entry, reason: DropReason): void =>
    settle(entry, { delivered: 0, reason, untried: entry.attempts === 0 })

  const post = async (entry: Entry, leaving: boolean): Promise<Verdict> => {
    const { body, spans } = entry
    const keepalive = bytesKeptAlive + body.length <= keepaliveBytes
    if (keepalive) bytesKeptAlive += body.length
    entry.underway = true
    entry.attempts++
    const limit = new AbortController()
    const cancelTimeout = clock.after(timeoutMs, () => limit.abort(new Error(`no answer in ${timeoutMs} ms`)))
    if (!leaving) flight = limit
    try {
      const send = options.fetch ?? fetch
      // Plain text needs no preflight, for which a page that is going away has no time left.
      const headers = { 'content-type': leaving ? 'text/plain' : 'application/json' }
      const { signal } = limit
      const sent = send(url, { method: 'POST', body, headers, keepalive, signal, credentials: 'omit' })
      const answered = sent.then((response) => readVerdict(response, spans, clock.wall()))
      // A fetch that ignores its signal must not hold up the queue for ever.
      return await Promise.race([answered, aborted(signal)])
    } catch (error) {
      return { trouble: `cannot be reached (${String(error)})` }
    } finally {
      cancelTimeout()
      if (keepalive) bytesKeptAlive -= body.length
      entry.underway = false
    }
  }

  /** Settles the entry if the verdict does; returns how long to wait before the next request. */
  const conclude = (entry: Entry, { done, ...found }: Verdict): number => {
    if (found.trouble !== undefined) warn(found.trouble)
    if (done !== undefined) {
      failures = 0
      settle(entry, done)
      return 0
    }
    failures++
    if (ending) lose(entry, 'shutdown')
    else if (entry.attempts >= maxAttempts) lose(entry, 'retries')
    return retryDelayMs(failures, 'waitMs' in found ? found.waitMs : undefined, random)
  }

  const pause = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(delayMs, resolve)
      endPause = () => {
        cancel()
        resolve()
      }
    })

  const run = async (): Promise<void> => {
    for (let entry = nextOf(queue); entry !== undefined; entry = nextOf(queue)) {
      const waitMs = conclude(entry, await post(entry, false))
      if (waitMs > 0 && !ending) await pause(waitMs)
    }
    running = false
  }

  /** In a later macrotask: whoever hands over a batch does not wait for a request to be started. */
  const start = (): void => {
    if (running) return
    running = true
    clock.after(0, () => void run())
  }

  return {
    name: 'http',
    export: (batch) =>
      new Promise((resolve) => {
        if (ended) return resolve({ delivered: 0, reason: 'shutdown' })
        const body = new TextEncoder().encode(JSON.stringify(batch))
        queue.push({ spans: batch.spans.n, body, attempts: 0, underway: false, settle: resolve })
        queuedBytes += body.length
        for (
          let oldest = nextOf(queue);
          oldest !== undefined && queuedBytes > maxQueueBytes;
          oldest = nextOf(queue)
        ) {
          lose(oldest, 'queue_full')
        }
        start()
      }),
    exit() {
      // Figures, which have no spans, go first; then the small batches that were made for this moment.
      for (const entry of [...queue].sort((a, b) => a.spans - b.spans)) {
        if (entry.underway) continue
        if (bytesKeptAlive + entry.body.length > keepaliveBytes) continue
        void post(entry, true).then((found) => {
          conclude(entry, found)
          start()
        })
      }
    },
    async shutdown(deadline) {
      ending = true
      const empty = new Promise<void>((resolve) => {
        drained = resolve
        if (queue.length === 0) resolve()
      })
      endPause?.()
      start()
      await Promise.race([empty, aborted(deadline).catch(() => {})])
      ended = true
      flight?.abort()
      for (const entry of [...queue]) lose(entry, 'shutdown')
    },
  }
}

/** The oldest that no request is underway for. */
function nextOf(queue: readonly Entry[]): Entry | undefined {
  return queue.find(({ underway }) => !underway)
}

/** Rejects with the signal's reason once it aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
