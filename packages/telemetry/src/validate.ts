import { type Batch, seriesNames, wireVersion } from './batch.js'
import { highestBucket, longestMs, lowestBucket, sketchScale } from './bucket.js'
import { stages } from './span.js'

/** A batch of sound structure, or a sentence that says where it is not. */
export type CheckedBatch =
  | { readonly ok: true; readonly batch: Batch }
  | { readonly ok: false; readonly error: string }

/** Far above what a recorder sends; a bound on what a stranger can make a collector allocate. */
const most = { spans: 65_536, strings: 65_536, text: 1024, rows: 32_768, reasons: 32 }

/** Of a date in JavaScript, ms since 1970. */
const latestMs = 8.64e15

const columnNames = [
  'start',
  'duration',
  'name',
  'kind',
  'model',
  'device',
  'place',
  'why',
  'sync',
  'outcome',
  'batchSize',
  'inputBytes',
  'outputBytes',
  'warm',
] as const

const knownSeries: ReadonlySet<unknown> = new Set(seriesNames)

/**
 * Checks the structure of what a stranger sent: types, lengths, bounds. What only one span has wrong (an id, an index) is left
 * to `decodeSpans`, which drops that span alone.
 */
export function validateBatch(value: unknown): CheckedBatch {
  const error = faultOf(value)
  return error === undefined ? { ok: true, batch: value as Batch } : { ok: false, error }
}

function faultOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'the batch is not a JSON object'
  if (value.v !== wireVersion) return `v is ${show(value.v)}, this collector takes ${wireVersion}`
  if (!isText(value.service) || value.service === '') return 'service is not a non-empty string'
  if (typeof value.instance !== 'string' || !/^[0-9a-f]{16}$/.test(value.instance)) {
    return 'instance is not 16 lower-case hex digits'
  }
  if (!isCount(value.seq)) return 'seq is not a whole number from 0'
  if (!isText(value.environment)) return 'environment is not a string'
  const { anchor, ledger, dict, sketches, spans } = value
  if (!isObject(anchor) || !isMoment(anchor.wallMs) || !isMoment(anchor.monoMs)) {
    return 'anchor is not { wallMs, monoMs }'
  }
  return ledgerFault(ledger) ?? dictFault(dict) ?? sketchesFault(sketches, dict) ?? spansFault(spans)
}

function ledgerFault(ledger: unknown): string | undefined {
  if (!isObject(ledger)) return 'ledger is not an object'
  for (const name of ['recorded', 'delivered', 'pending']) {
    if (!isCount(ledger[name])) return `ledger.${name} is not a whole number from 0`
  }
  if (!isObject(ledger.dropped)) return 'ledger.dropped is not an object'
  if (!Object.values(ledger.dropped).every(isCount)) return 'ledger.dropped holds something other than counts'
  const reasons = Object.keys(ledger.dropped)
  if (reasons.length > most.reasons || !reasons.every((reason) => /^[a-z_]{1,32}$/.test(reason))) {
    return 'ledger.dropped holds something other than reasons'
  }
  return undefined
}

function dictFault(dict: unknown): string | undefined {
  if (!Array.isArray(dict)) return 'dict is not an array'
  if (dict.length > most.strings)
    return `dict holds ${dict.length} strings, at most ${most.strings} are taken`
  if (!dict.every(isText)) return `dict holds something other than strings of at most ${most.text} characters`
  return undefined
}

function sketchesFault(rows: unknown, dict: unknown): string | undefined {
  if (!Array.isArray(rows)) return 'sketches is not an array'
  if (rows.length > most.rows) return `sketches holds ${rows.length} rows, at most ${most.rows} are taken`
  const strings = Array.isArray(dict) ? dict.length : 0
  for (const [i, row] of rows.entries()) {
    const fault = rowFault(row, strings)
    if (fault !== undefined) return `sketches[${i}]${fault}`
  }
  return undefined
}

function rowFault(row: unknown, strings: number): string | undefined {
  if (!isObject(row)) return ' is not an object'
  const isLabel = (index: unknown): boolean => index === -1 || (isCount(index) && index < strings)
  if (!isLabel(row.name) || row.name === -1) return '.name is not an index into dict'
  for (const label of ['model', 'device', 'place']) {
    if (!isLabel(row[label])) return `.${label} is neither an index into dict nor −1`
  }
  if (!knownSeries.has(row.series)) return `.series is ${show(row.series)}`
  const data = row.sketch
  if (!isObject(data)) return '.sketch is not an object'
  const { scale, count, zeros, sum, min, max, offset, counts } = data
  if (scale !== sketchScale) return `.sketch.scale is ${show(scale)}, this collector takes ${sketchScale}`
  if (!isCount(count) || !isCount(zeros)) return '.sketch.count or .zeros is not a whole number from 0'
  if (!isNumber(sum) || !isTime(min) || !isTime(max) || min > max)
    return '.sketch.sum, .min or .max is not a time'
  if (!Array.isArray(counts) || !counts.every(isCount)) return '.sketch.counts is not an array of counts'
  if (!isInteger(offset) || offset < lowestBucket || offset + counts.length > highestBucket + 1) {
    return `.sketch.offset and .counts reach beyond the buckets ${lowestBucket} to ${highestBucket}`
  }
  if (counts.reduce((total, n) => total + n, zeros) !== count) return '.sketch.counts do not add up to .count'
  // Each is rounded to the nanosecond, and a long sum of doubles drifts.
  const slack = 1e-6 * (count + 1) + 1e-9 * sum
  if (sum < count * min - slack || sum > count * max + slack)
    return '.sketch.sum does not lie between .count times .min and .count times .max'
  return undefined
}

function spansFault(spans: unknown): string | undefined {
  if (!isObject(spans)) return 'spans is not an object'
  const { n, trace, span, parent, stages: times } = spans
  if (!isCount(n) || n > most.spans) return `spans.n is not a whole number up to ${most.spans}`
  if (typeof trace !== 'string' || trace.length !== n * 32) return `spans.trace is not ${n} × 32 digits`
  if (typeof span !== 'string' || span.length !== n * 16) return `spans.span is not ${n} × 16 digits`
  if (typeof parent !== 'string' || parent.length !== n * 16) return `spans.parent is not ${n} × 16 digits`
  for (const name of columnNames) {
    if (!isColumn(spans[name], n)) return `spans.${name} is neither a number nor an array of ${n} numbers`
  }
  if (!isObject(times)) return 'spans.stages is not an object'
  for (const stage of stages) {
    if (times[stage] !== undefined && !isColumn(times[stage], n)) {
      return `spans.stages.${stage} is neither a number nor an array of ${n} numbers`
    }
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= most.text
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isMoment(value: unknown): value is number {
  return isNumber(value) && Math.abs(value) <= latestMs
}

function isTime(value: unknown): value is number {
  return isNumber(value) && value >= 0 && value <= longestMs
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value)
}

function isColumn(column: unknown, n: number): boolean {
  if (isNumber(column)) return true
  // JSON writes NaN as null: that is one span's fault, not the batch's.
  const isEntry = (value: unknown): boolean => value === null || typeof value === 'number'
  return Array.isArray(column) && column.length === n && column.every(isEntry)
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'absent'
}
