import type { Batch, DropReason } from './batch.js'

/** How one batch went. The spans that were not delivered are lost for `reason`. */
export interface Delivery {
  readonly delivered: number
  /** `rejected` by default. */
  readonly reason?: DropReason | undefined
  /** Nothing of it ever left, so its sketches can go with the next batch. */
  readonly untried?: boolean | undefined
}

/** Somewhere for batches to go. Its test is `testExporter` of `@tandem/telemetry/testing`. */
export interface Exporter {
  readonly name: string
  /** Takes one batch. Starts no I/O before the caller's tick has ended, never throws, never rejects; settles once per batch. */
  export(batch: Batch): Promise<Delivery>
  /** The page is going away: starts sending, on this tick, what fits in the browser's allowance. */
  exit?(): void
  /** Tries once more what is left, without waiting between tries; gives up, settling every batch, when `deadline` aborts. */
  shutdown(deadline: AbortSignal): Promise<void>
}
