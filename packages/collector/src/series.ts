import {
  type Series,
  type Sketch,
  type SketchData,
  type SketchStats,
  seriesNames,
  sketch,
} from '@tandem/telemetry/wire'
import type { Limits } from './limits.js'
import { type Filter, labels } from './query.js'

const minuteMs = 60_000
const mostCharted = 50

/** What a figure is about. Null: the recorder did not know. */
export interface SeriesKey {
  readonly service: string
  readonly name: string
  readonly model: string | null
  readonly device: string | null
  readonly place: string | null
  readonly stage: Series
}

/** Milliseconds. */
export interface SummaryRow extends SeriesKey, SketchStats {}

export interface Summary {
  readonly rows: readonly SummaryRow[]
  /** Figures that went to the overflow series because there were too many series. */
  readonly overflowed: number
}

/** p50 and p95 in milliseconds by minute; null where nothing came. */
export interface ChartedSeries extends SeriesKey {
  readonly count: readonly number[]
  readonly p50: readonly (number | null)[]
  readonly p95: readonly (number | null)[]
}

export interface Timeseries {
  /** Starts of the minutes in which something came, ms since 1970, ascending. */
  readonly minutes: readonly number[]
  /** The series with most values first. */
  readonly series: readonly ChartedSeries[]
  readonly leftOut: number
}

/** Figures of every series: over everything, and by the minute in which they came. */
export interface SeriesStore {
  add(key: SeriesKey, data: SketchData, receivedMs: number): void
  summary(filter: Filter): Summary
  /** Of `total` when the filter names no stage. */
  timeseries(filter: Filter): Timeseries
  size(): { readonly series: number; readonly overflowed: number }
}

export function seriesStore(limits: Pick<Limits, 'series' | 'minutes' | 'minuteSketches'>): SeriesStore {
  const keys = new Map<string, SeriesKey>()
  const overall = new Map<string, Sketch>()
  const byMinute = new Map<number, Map<string, Sketch>>()
  let minuteSketches = 0
  let overflowed = 0

  return {
    add(wanted, data, receivedMs) {
      if (data.count === 0) return
      const [id, key] = admit(wanted)
      keys.set(id, key)
      merge(overall, id, data)
      const minute = Math.floor(receivedMs / minuteMs)
      const sketches = byMinute.get(minute) ?? new Map<string, Sketch>()
      byMinute.set(minute, sketches)
      if (merge(sketches, id, data)) minuteSketches++
      forget()
    },
    summary(filter) {
      const sketches = filter.sinceMs === undefined ? overall : mergedSince(filter.sinceMs)
      const rows: SummaryRow[] = []
      for (const [id, one] of sketches) {
        const key = keys.get(id)
        if (key !== undefined && passes(key, filter)) rows.push({ ...key, ...one.stats() })
      }
      return { rows: rows.sort(inOrder), overflowed }
    },
    timeseries(filter) {
      const wanted = filter.stage.length === 0 ? { ...filter, stage: ['total'] } : filter
      const minutes = minutesSince(filter.sinceMs ?? 0)
      const chosen = [...keys]
        .filter(([, key]) => passes(key, wanted))
        .map(([id, key]) => ({ id, key, count: overall.get(id)?.count ?? 0 }))
        .sort((a, b) => b.count - a.count)
      return {
        minutes: minutes.map((minute) => minute * minuteMs),
        series: chosen.slice(0, mostCharted).map(({ id, key }) => {
          const column = minutes.map((minute) => byMinute.get(minute)?.get(id))
          return {
            ...key,
            count: column.map((one) => one?.count ?? 0),
            p50: column.map((one) => one?.quantile(0.5) ?? null),
            p95: column.map((one) => one?.quantile(0.95) ?? null),
          }
        }),
        leftOut: Math.max(0, chosen.length - mostCharted),
      }
    },
    size: () => ({ series: overall.size, overflowed }),
  }

  /** The series itself, or the one that stands for all that there is no room for: labels from outside never grow memory without end. */
  function admit(key: SeriesKey): [string, SeriesKey] {
    const id = idOf(key)
    if (overall.has(id) || overall.size < limits.series) return [id, key]
    overflowed++
    const other = {
      service: '(other)',
      name: '(other)',
      model: null,
      device: null,
      place: null,
      stage: key.stage,
    }
    return [idOf(other), other]
  }

  function forget(): void {
    while (byMinute.size > limits.minutes || (minuteSketches > limits.minuteSketches && byMinute.size > 1)) {
      const oldest = Math.min(...byMinute.keys())
      minuteSketches -= byMinute.get(oldest)?.size ?? 0
      byMinute.delete(oldest)
    }
  }

  function minutesSince(sinceMs: number): number[] {
    return [...byMinute.keys()]
      .filter((minute) => minute >= Math.floor(sinceMs / minuteMs))
      .sort((a, b) => a - b)
  }

  function mergedSince(sinceMs: number): Map<string, Sketch> {
    const merged = new Map<string, Sketch>()
    for (const minute of minutesSince(sinceMs)) {
      for (const [id, one] of byMinute.get(minute) ?? []) merge(merged, id, one)
    }
    return merged
  }
}

/** True when the sketch is new there. */
function merge(into: Map<string, Sketch>, id: string, data: Sketch | SketchData): boolean {
  const there = into.get(id)
  const one = there ?? sketch()
  one.merge(data)
  if (there === undefined) into.set(id, one)
  return there === undefined
}

function idOf(key: SeriesKey): string {
  return JSON.stringify(labels.map((label) => key[label]))
}

function passes(key: SeriesKey, filter: Filter): boolean {
  return labels.every((label) => filter[label].length === 0 || filter[label].includes(key[label] ?? ''))
}

function inOrder(a: SeriesKey, b: SeriesKey): number {
  for (const label of ['service', 'name', 'model', 'device', 'place'] as const) {
    const [left, right] = [a[label] ?? '', b[label] ?? '']
    if (left !== right) return left < right ? -1 : 1
  }
  return seriesNames.indexOf(a.stage) - seriesNames.indexOf(b.stage)
}
