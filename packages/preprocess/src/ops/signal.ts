import type { Scratch } from '../scratch.js'

/** A recording on its way through a plan: one array a channel, from -1 to 1. */
export interface Signal {
  /** Hz. */
  readonly sampleRate: number
  readonly channels: readonly Float32Array[]
}

/** One step of an audio plan: pure, and never writes to its input. */
export type AudioOp<Step> = (signal: Signal, step: Step, memory: Scratch) => Signal
