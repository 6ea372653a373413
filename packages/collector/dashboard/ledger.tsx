import type { JSX } from 'preact'
import type { LedgerAnswer, ServiceLedger } from '../src/ledgers.js'
import { count, time } from './format.js'

/** What became of every span that was recorded. Nothing is lost without a line here. */
export function Ledger({ ledger }: { ledger: LedgerAnswer }): JSX.Element {
  return (
    <>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Recorded</th>
            <th scope="col">Delivered</th>
            <th scope="col">Under way</th>
            <th scope="col">Dropped</th>
            <th scope="col">Missing batches</th>
            <th scope="col">Malformed</th>
          </tr>
        </thead>
        <tbody>
          {ledger.services.map((row) => (
            <tr key={row.service}>
              <th scope="row">
                <span class="where">
                  <strong>{row.service}</strong>
                  <span class="muted">
                    {row.instances === 1
                      ? '1 page or process'
                      : `${count(row.instances)} pages and processes`}{' '}
                    · last heard {time(row.lastMs)}
                  </span>
                </span>
              </th>
              <td data-label="recorded">{count(row.recorded)}</td>
              <td data-label="delivered">{count(row.delivered)}</td>
              <td data-label="under way">{count(row.pending)}</td>
              <td data-label="dropped">
                <Dropped row={row} />
              </td>
              <td data-label="missing batches" class={row.gaps > 0 ? 'bad' : ''}>
                {count(row.gaps)}
              </td>
              <td data-label="malformed" class={row.rejected > 0 ? 'bad' : ''}>
                {count(row.rejected)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted">
        “sampled” was left out on purpose and is in the percentiles all the same. “Under way” is as of the
        latest batch.
        {ledger.forgotten > 0 &&
          ` ${count(ledger.forgotten)} long silent pages and processes are no longer listed.`}
      </p>
    </>
  )
}

function Dropped({ row }: { row: ServiceLedger }): JSX.Element {
  const reasons = Object.entries(row.dropped).filter(([, dropped]) => dropped > 0)
  if (reasons.length === 0) return <>0</>
  return (
    <span class="reasons">
      {reasons.map(([reason, dropped]) => (
        <span key={reason} class={reason === 'sampled' ? '' : 'bad'}>
          {reason} {count(dropped)}
        </span>
      ))}
    </span>
  )
}

/** Spans that were lost, not left out on purpose. */
export function lostOf(ledger: LedgerAnswer | undefined): number {
  let lost = 0
  for (const { dropped } of ledger?.services ?? []) {
    for (const [reason, n] of Object.entries(dropped)) if (reason !== 'sampled') lost += n
  }
  return lost
}
