import { type Stage, stages } from './span.js'

/** The wire format's version: the `v` of every batch. */
export const wireVersion = 1

/**
 * One POST to the collector (`/v1/batch`): the percentiles of everything that was recorded since the last batch, the spans that
 * were kept, and the account of what was lost. Columnar: every column of `spans` has `spans.n` entries, a constant
 * column is written as one value. Strings are indices into `dict`. About 100 bytes a span.
 */
export interface Batch {
  readonly v: typeof wireVersion
  readonly service: string
  /** Random per recorder (a page, a process), kept in memory only: 16 hex digits. */
  readonly instance: string
  /** 0, 1, 2 … per instance: the collector drops a repeated (instance, seq) and sees gaps. */
  readonly seq: number
  readonly environment: string
  /** Wall clock (ms since 1970) and `performance.now()` (ms), read together once per batch. */
  readonly anchor: { readonly wallMs: number; readonly monoMs: number }
  readonly ledger: Ledger
  readonly dict: readonly string[]
  readonly sketches: readonly SketchRow[]
  readonly spans: SpanColumns
}

/** Cumulative counts since the recorder started: recorded = delivered + pending + Σ dropped. */
export interface Ledger {
  readonly recorded: number
  readonly delivered: number
  /** In the ring, the queue or on the way. */
  readonly pending: number
  readonly dropped: { readonly [reason in DropReason]?: number }
}

/** Why a span was not delivered. `sampled`: left out on purpose (its figures are in the sketches all the same). */
export type DropReason =
  | 'sampled'
  | 'ring_full'
  | 'queue_full'
  | 'rejected'
  | 'retries'
  | 'invalid'
  | 'shutdown'
  | 'exit'

/** `total`, one of the stages, or `unattributed`: total − Σ stages, the leak. */
export type Series = 'total' | Stage | 'unattributed'

/** Every series, in the order in which pages show them. */
export const seriesNames: readonly Series[] = ['total', ...stages, 'unattributed']

/** The figures of one series since the last batch (delta). */
export interface SketchRow {
  /** Index into `dict`: the span's name. */
  readonly name: number
  /** Indices into `dict`, −1 where unknown. */
  readonly model: number
  readonly device: number
  readonly place: number
  readonly series: Series
  readonly sketch: SketchData
}

/**
 * A base-2 exponential histogram of milliseconds (OpenTelemetry's): bucket i holds values in (base^i, base^(i+1)], base = 2^(2^−scale).
 * At scale 5 a percentile is off by at most 1.09 % (half a bucket's width).
 */
export interface SketchData {
  readonly scale: number
  readonly count: number
  readonly zeros: number
  readonly sum: number
  readonly min: number
  readonly max: number
  /** Index of the first bucket of `counts`. */
  readonly offset: number
  readonly counts: readonly number[]
}

/** A column: one value per span, or one value for all of them. */
export type Column<T> = readonly T[] | T

/** Kept spans. Times are integer microseconds; `start` counts from `anchor.monoMs` (negative: before it). */
export interface SpanColumns {
  readonly n: number
  /** 32 hex digits a span, concatenated. */
  readonly trace: string
  /** 16 hex digits a span, concatenated. */
  readonly span: string
  /** 16 hex digits a span, concatenated; sixteen zeros for a root. */
  readonly parent: string
  readonly start: Column<number>
  readonly duration: Column<number>
  /** Indices into `dict`, −1 for none. */
  readonly name: Column<number>
  readonly kind: Column<number>
  readonly model: Column<number>
  readonly device: Column<number>
  readonly place: Column<number>
  readonly why: Column<number>
  readonly sync: Column<number>
  readonly outcome: Column<number>
  readonly batchSize: Column<number>
  readonly inputBytes: Column<number>
  readonly outputBytes: Column<number>
  /** 1 warm, 0 a first run, −1 unknown. */
  readonly warm: Column<number>
  /** Microseconds per stage, −1 for unknown; a stage that no span has is left out. */
  readonly stages: { readonly [S in Stage]?: Column<number> }
}

/** What the collector answers: 200 with this, or a 4xx/5xx with `{ error }`. */
export interface BatchAnswer {
  /** Spans taken into the store; a repeated batch counts as accepted. */
  readonly accepted: number
  /** Spans refused for being malformed; never to be sent again. */
  readonly rejected: number
}
