import type { SeriesKey, SummaryRow } from '../src/series.js'

/** One kind of call in one place: its total, and the stages that make it up. */
export interface Group {
  readonly id: string
  readonly key: Omit<SeriesKey, 'stage'>
  readonly total: SummaryRow
  /** In the order in which they happen; `unattributed` last. */
  readonly stages: readonly SummaryRow[]
}

/** Gathers the rows of the summary. They come sorted, with `total` before its stages. */
export function groupsOf(rows: readonly SummaryRow[]): Group[] {
  const groups = new Map<string, { total?: SummaryRow; stages: SummaryRow[] }>()
  for (const row of rows) {
    const group = groups.get(idOf(row)) ?? { stages: [] }
    groups.set(idOf(row), group)
    if (row.stage === 'total') group.total = row
    else group.stages.push(row)
  }
  return [...groups].flatMap(([id, { total, stages }]) => {
    if (total === undefined) return []
    const { service, name, model, device, place } = total
    return [{ id, key: { service, name, model, device, place }, total, stages }]
  })
}

export function idOf({ service, name, model, device, place }: Omit<SeriesKey, 'stage'>): string {
  return JSON.stringify([service, name, model, device, place])
}

/** Where it ran, in words: `local · wasm`. */
export function whereOf({ place, device }: Pick<SeriesKey, 'place' | 'device'>): string {
  const parts = [place, device].filter((part) => part !== null)
  return [...new Set(parts)].join(' · ') || 'place unknown'
}

/** What was called: `infer blazeface`. */
export function whatOf({ name, model }: Pick<SeriesKey, 'name' | 'model'>): string {
  return model === null ? name : `${name} ${model}`
}

/** The figures of the time that no stage explains. */
export function leakOf({ stages }: Group): SummaryRow | undefined {
  return stages.find(({ stage }) => stage === 'unattributed')
}

/** Mean milliseconds of a stage per call of the group: a stage that only some calls have weighs as often as it happened. */
export function perCall(stage: SummaryRow, total: SummaryRow): number {
  return (stage.mean * stage.count) / total.count
}
