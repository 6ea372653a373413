import type { Attempt, ErrorCode } from '@tandem/sdk'
import type { Config } from '../config.js'
import { firstSample, type Input } from '../inputs.js'
import type { Answer, ModelName } from '../model/task.js'
import type { Choice } from '../places.js'

/** The figures of one call of a model, in milliseconds; null: unknown or did not happen. */
export interface Call {
  readonly series: { readonly [S in Row]?: number | null }
  /** The first call after a session was made: it compiles and allocates, and counts apart. */
  readonly first: boolean
  /** From the reference; see `difference`. */
  readonly difference?: number | undefined
}

/**
 * The rows of the table for warm runs: `total` is the model's call as its caller sees it, followed by its stages. Pre- and
 * postprocessing stand around it: they belong to a run, which may take many calls.
 */
export const rows = [
  'preprocess',
  'total',
  'queue',
  'input',
  'inference',
  'output',
  'network',
  'unattributed',
  'postprocess',
] as const
export type Row = (typeof rows)[number]

/** Where a call really ran. */
export interface Where {
  readonly model: ModelName
  readonly choice: Choice
  readonly place: string
  readonly device: string
}

/** A session as it was opened. */
export interface Opened extends Where {
  readonly why: string
  readonly attempts: readonly Attempt[]
  readonly downloadMs: number | null
  readonly createMs: number | null
  readonly runtime: string
  readonly threads: string | undefined
}

/** Everything measured in one place, for one model and one choice. */
export interface Group extends Opened {
  readonly key: string
  readonly firstMs: number | undefined
  readonly values: { readonly [S in Row]?: readonly number[] }
  readonly passes: number
  /** The largest difference from the reference so far. */
  readonly difference: number | undefined
}

/** One run: where it went, and what was tried on the way. */
export interface RunLog extends Where {
  readonly number: number
  readonly input: string
  readonly ms: number
  readonly calls: number
  readonly why: string
  readonly attempts: readonly Attempt[]
  readonly difference: number | undefined
}

type Phase = 'reference' | 'opening' | 'running'

export interface Job {
  readonly phase: Phase
  readonly choice: Choice
  /** 0 … 1 of all that was asked for. */
  readonly progress: number
  readonly note: string
}

export interface Notice {
  readonly tone: 'error' | 'info'
  readonly text: string
  readonly code?: ErrorCode | undefined
}

/** A place that could not be used. */
export interface Failure {
  readonly model: ModelName
  readonly choice: Choice
  readonly notice: Notice
}

/** What a run found, or has found until now. */
export interface Found {
  readonly answer: Answer
  /** The input's id. */
  readonly input: string
  readonly where: Where
  readonly difference: number | undefined
}

export type Reachable = 'unknown' | 'up' | 'down'
export type ServerName = keyof Config

export interface Vital {
  readonly value: number
  readonly rating: 'good' | 'needs-improvement' | 'poor'
}
export const vitalNames = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const
export type VitalName = (typeof vitalNames)[number]

export interface State {
  readonly health: { readonly [S in ServerName]: Reachable }
  readonly model: ModelName
  readonly input: Input
  readonly choice: Choice
  readonly runs: number
  readonly job: Job | undefined
  readonly notice: Notice | undefined
  readonly groups: readonly Group[]
  readonly failures: readonly Failure[]
  /** The latest runs, newest first. */
  readonly log: readonly RunLog[]
  /** Of the latest run. */
  readonly found: Found | undefined
  /** What «the reference» is, once there is one. */
  readonly reference: string | undefined
  readonly vitals: { readonly [V in VitalName]?: Vital }
}

export const initial: State = {
  health: { server: 'unknown', collector: 'unknown' },
  model: 'blazeface',
  input: firstSample('blazeface'),
  choice: 'auto',
  runs: 50,
  job: undefined,
  notice: undefined,
  groups: [],
  failures: [],
  log: [],
  found: undefined,
  reference: undefined,
  vitals: {},
}
