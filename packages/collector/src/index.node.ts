// On a port

export type { Collecting, CollectOptions } from './collect.node.js'
export { collect } from './collect.node.js'

// As a function of a request

export type { Collector, CollectorOptions } from './collector.node.js'
export { collector } from './collector.node.js'

// What it is made with

export type { Clock } from './clock.js'
export type { CollectorErrorCode } from './error.js'
export { CollectorError } from './error.js'
export type { Limits } from './limits.js'
export { defaultLimits } from './limits.js'

// What it answers

export type { Trace, TraceSpan } from './join.js'
export type { LedgerAnswer, LedgerRow, ServiceLedger } from './ledgers.js'
export type { ChartedSeries, SeriesKey, Summary, SummaryRow, Timeseries } from './series.js'
export type { TraceRow } from './traces.js'
