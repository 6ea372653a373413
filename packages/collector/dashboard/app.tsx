import type { ComponentChildren, JSX } from 'preact'
import type { LedgerAnswer } from '../src/ledgers.js'
import type { SeriesKey, Summary, Timeseries } from '../src/series.js'
import type { TraceRow } from '../src/traces.js'
import { Breakdown } from './breakdown.js'
import { Chart } from './chart.js'
import { Empty } from './empty.js'
import { time } from './format.js'
import { groupsOf } from './groups.js'
import { Leaks } from './leaks.js'
import { Ledger } from './ledger.js'
import { Percentiles } from './percentiles.js'
import { usePlace } from './place.js'
import { usePoll } from './poll.js'
import { Select } from './select.js'
import { Tiles } from './tiles.js'
import { Traces } from './traces.js'

const everyMs = 2000
const slowlyMs = 5000

const ranges: Record<string, string> = {
  '15m': '15 minutes',
  '1h': '1 hour',
  '3h': '3 hours',
  all: 'all time',
}

/** The whole page: polls the collector's own endpoints and draws what they answer. */
export function App(): JSX.Element {
  const [place, go] = usePlace()
  const since = place.range in ranges && place.range !== 'all' ? `?since=${place.range}` : ''
  const summary = usePoll<Summary>(`v1/summary${since}`, everyMs)
  const series = usePoll<Timeseries>(`v1/timeseries${since}`, slowlyMs)
  const ledger = usePoll<LedgerAnswer>('v1/ledger', everyMs)
  const traces = usePoll<{ traces: TraceRow[] }>('v1/traces?limit=40', everyMs)

  const wanted = (key: Pick<SeriesKey, 'service' | 'model'>) =>
    (place.service === '' || key.service === place.service) &&
    (place.model === '' || key.model === place.model)
  const rows = summary.value?.rows ?? []
  const groups = groupsOf(rows.filter(wanted))
  const busiest = [...groups].sort((a, b) => b.total.count - a.total.count)
  const charted = series.value?.series.filter(wanted) ?? []
  const seen = traces.value?.traces.filter(
    (trace) =>
      (place.service === '' || trace.services.includes(place.service)) &&
      (place.model === '' || trace.model === place.model),
  )
  const nothing = ledger.value?.services.length === 0

  return (
    <>
      <header>
        <h1>
          <img src="icon.svg" alt="" width="24" height="24" /> Tandem <span class="muted">latency</span>
        </h1>
        <form class="filters" onSubmit={(event) => event.preventDefault()}>
          <Select label="Time" value={place.range} options={ranges} choose={(range) => go({ range })} />
          <Select
            label="Service"
            value={place.service}
            options={choices(
              'all services',
              rows.map((row) => row.service),
              place.service,
            )}
            choose={(service) => go({ service })}
          />
          <Select
            label="Model"
            value={place.model}
            options={choices(
              'all models',
              rows.map((row) => row.model ?? ''),
              place.model,
            )}
            choose={(model) => go({ model })}
          />
        </form>
        <Pulse atMs={summary.atMs} error={summary.error} />
      </header>
      <main>
        {summary.value === undefined && summary.error === undefined && <p class="muted">Loading …</p>}
        {nothing && <Empty />}
        {!nothing && summary.value !== undefined && (
          <>
            <Tiles groups={groups} ledger={ledger.value} />
            {groups.length === 0 && (
              <p class="card muted">Nothing came in this time: choose a longer one above.</p>
            )}
            {groups.length > 0 && (
              <>
                <Card title="Percentiles" about="Of every call, sampled or not. Open a row for its stages.">
                  <Percentiles groups={busiest} />
                </Card>
                <Card title="Latency over time" about="By the minute in which the figures arrived.">
                  {series.value && <Chart minutes={series.value.minutes} series={charted} />}
                </Card>
                <Card title="Where the time goes" about="The mean call, cut into its stages.">
                  <Breakdown groups={busiest} />
                </Card>
                <Card title="Leak report" about="Time inside a call that no stage explains.">
                  <Leaks groups={groups} />
                </Card>
              </>
            )}
            <Card title="Recent traces" about="Kept for being slow, failed, or part of the sample.">
              <Traces traces={seen ?? []} chosen={place.trace} choose={(trace) => go({ trace })} />
            </Card>
            <Card title="Drop ledger" about="Recorded = delivered + under way + dropped.">
              {ledger.value && <Ledger ledger={ledger.value} />}
            </Card>
          </>
        )}
      </main>
    </>
  )
}

function Card({
  title,
  about,
  children,
}: {
  title: string
  about: string
  children: ComponentChildren
}): JSX.Element {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="muted">{about}</p>
      {children}
    </section>
  )
}

function Pulse({ atMs, error }: { atMs: number | undefined; error: string | undefined }): JSX.Element {
  const when = atMs === undefined ? 'never' : time(atMs)
  return (
    <p class={error === undefined ? 'pulse' : 'pulse bad'} role="status">
      {error === undefined ? 'live' : `no answer since ${when}: ${error}`}
    </p>
  )
}

/** What can be chosen: all, what there is, and what is chosen even when it is there no more. */
function choices(all: string, values: readonly string[], chosen: string): Record<string, string> {
  const names = [...new Set([...values, chosen])].filter((value) => value !== '').sort()
  return { '': all, ...Object.fromEntries(names.map((name) => [name, name])) }
}
