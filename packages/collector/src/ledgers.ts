import type { Batch, Ledger } from '@tandem/telemetry/wire'
import type { Limits } from './limits.js'
import { type Seqs, seqs } from './seqs.js'

/** What became of the spans of one recorder (a page, a process): its own account, and ours. */
export interface LedgerRow {
  readonly service: string
  readonly instance: string
  readonly environment: string
  /** The recorder's cumulative counts, as of its latest batch and with that batch's own spans arrived. */
  readonly recorded: number
  readonly delivered: number
  readonly pending: number
  readonly dropped: Record<string, number>
  /** Batches that came, and batches that never did though a later one has. */
  readonly batches: number
  readonly gaps: number
  /** Spans that came, and those of them that were malformed. */
  readonly accepted: number
  readonly rejected: number
  /** Milliseconds since 1970 of the first and the latest batch. */
  readonly firstMs: number
  readonly lastMs: number
}

/** The rows of one service, added up. */
export interface ServiceLedger extends Omit<LedgerRow, 'instance' | 'environment'> {
  readonly instances: number
}

export interface LedgerAnswer {
  readonly services: readonly ServiceLedger[]
  /** The latest first. */
  readonly instances: readonly LedgerRow[]
  /** Recorders that were silent for so long that their row made place for others. */
  readonly forgotten: number
}

interface Received {
  readonly receivedMs: number
  readonly accepted: number
  readonly rejected: number
}

/** The drop ledgers, and with them what has come already. */
export interface Ledgers {
  /** True when this (instance, seq) was taken before. */
  has(batch: Batch): boolean
  add(batch: Batch, received: Received): void
  answer(limit: number): LedgerAnswer
}

interface Kept {
  readonly seqs: Seqs
  highest: number
  row: LedgerRow
}

export function ledgers(limits: Pick<Limits, 'instances'>): Ledgers {
  /** In the order of their latest batch. */
  const kept = new Map<string, Kept>()
  let forgotten = 0

  return {
    has: (batch) => kept.get(keyOf(batch))?.seqs.has(batch.seq) ?? false,
    add(batch, { receivedMs, accepted, rejected }) {
      const key = keyOf(batch)
      const before = kept.get(key)
      const seen = before?.seqs ?? seqs()
      seen.add(batch.seq)
      // The counts are cumulative: a batch that was overtaken on the way says less than the one that overtook it.
      const latest = before === undefined || batch.seq > before.highest
      const { recorded, delivered, pending, dropped } = latest
        ? arrived(batch.ledger, accepted, rejected)
        : before.row
      kept.delete(key)
      kept.set(key, {
        seqs: seen,
        highest: Math.max(batch.seq, before?.highest ?? 0),
        row: {
          service: batch.service,
          instance: batch.instance,
          environment: batch.environment,
          recorded,
          delivered,
          pending,
          dropped,
          batches: (before?.row.batches ?? 0) + 1,
          gaps: seen.gaps(),
          accepted: (before?.row.accepted ?? 0) + accepted,
          rejected: (before?.row.rejected ?? 0) + rejected,
          firstMs: before?.row.firstMs ?? receivedMs,
          lastMs: receivedMs,
        },
      })
      const [oldest] = kept.keys()
      if (kept.size > limits.instances && oldest !== undefined) {
        kept.delete(oldest)
        forgotten++
      }
    },
    answer(limit) {
      const rows = [...kept.values()].map((one) => one.row).reverse()
      return { services: byService(rows), instances: rows.slice(0, limit), forgotten }
    },
  }
}

type Counts = Pick<LedgerRow, 'recorded' | 'delivered' | 'pending' | 'dropped'>

/** A batch was written before it came, so it counts its own spans as under way: here they are known to have come. */
function arrived(
  { recorded, delivered, pending, dropped }: Ledger,
  accepted: number,
  rejected: number,
): Counts {
  const mine = Math.min(pending, accepted + rejected)
  const refused = Math.min(mine, rejected)
  return {
    recorded,
    delivered: delivered + mine - refused,
    pending: pending - mine,
    dropped: refused === 0 ? { ...dropped } : { ...dropped, rejected: (dropped.rejected ?? 0) + refused },
  }
}

function keyOf(batch: Batch): string {
  return `${batch.instance} ${batch.service}`
}

function byService(rows: readonly LedgerRow[]): ServiceLedger[] {
  const services = new Map<string, ServiceLedger>()
  for (const { instance: _, environment: __, ...row } of rows) {
    const sum = services.get(row.service)
    services.set(row.service, sum === undefined ? { ...row, instances: 1 } : added(sum, row))
  }
  return [...services.values()].sort((a, b) => (a.service < b.service ? -1 : 1))
}

function added(sum: ServiceLedger, row: Omit<LedgerRow, 'instance' | 'environment'>): ServiceLedger {
  const dropped = { ...sum.dropped }
  for (const [reason, count] of Object.entries(row.dropped)) {
    // A reason may be called `constructor`.
    dropped[reason] = count + (Object.hasOwn(dropped, reason) ? (dropped[reason] ?? 0) : 0)
  }
  return {
    service: sum.service,
    instances: sum.instances + 1,
    recorded: sum.recorded + row.recorded,
    delivered: sum.delivered + row.delivered,
    pending: sum.pending + row.pending,
    dropped,
    batches: sum.batches + row.batches,
    gaps: sum.gaps + row.gaps,
    accepted: sum.accepted + row.accepted,
    rejected: sum.rejected + row.rejected,
    firstMs: Math.min(sum.firstMs, row.firstMs),
    lastMs: Math.max(sum.lastMs, row.lastMs),
  }
}
