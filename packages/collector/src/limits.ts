const MiB = 1024 * 1024
const minute = 60_000

/** Every bound of the collector. Memory and disk never grow past them, whatever is sent. */
export interface Limits {
  /** Bytes of one batch, as sent and after inflation. Beyond: 413. */
  readonly batchBytes: number
  /** Bytes of batches that are being read or wait for the disk, all together. Beyond: 429 with Retry-After. */
  readonly queueBytes: number
  /** Milliseconds in which at least one more byte of a body must arrive. Beyond: 408. */
  readonly bodyIdleMs: number
  /** Bytes at which a segment file is closed and the next one begun. */
  readonly segmentBytes: number
  /** Bytes and age (ms) beyond which the oldest segment files are deleted. */
  readonly retainBytes: number
  readonly retainMs: number
  /** Series with figures of their own. Further ones are added up in one overflow series. */
  readonly series: number
  /** Minutes for which figures by the minute are kept, and how many of those figures in all. */
  readonly minutes: number
  readonly minuteSketches: number
  /** Traces, spans of one trace, and spans of all traces, kept for looking at. The oldest go first. */
  readonly traces: number
  readonly spansPerTrace: number
  readonly spans: number
  /** Recorders (pages, processes) whose ledgers are kept. The longest silent go first. */
  readonly instances: number
}

export const defaultLimits: Limits = {
  batchBytes: MiB,
  queueBytes: 32 * MiB,
  bodyIdleMs: 10_000,
  segmentBytes: 16 * MiB,
  retainBytes: 256 * MiB,
  retainMs: 7 * 24 * 60 * minute,
  series: 2000,
  minutes: 180,
  minuteSketches: 50_000,
  traces: 2000,
  spansPerTrace: 500,
  spans: 50_000,
  instances: 5000,
}
