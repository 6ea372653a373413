import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Timeseries } from '../src/series.js'
import { columnsOf } from './columns.js'
import { drawChart } from './draw.js'
import { ms } from './format.js'
import { idOf } from './groups.js'
import { Toggle } from './toggle.js'
import { toggled } from './toggled.js'
import { Where } from './where.js'

/** As many lines as the eye and the palette tell apart. */
const mostLines = 6

/** Latency over time, by the minute. */
export function Chart({ minutes, series }: Pick<Timeseries, 'minutes' | 'series'>): JSX.Element {
  const [figure, setFigure] = useState<'p50' | 'p95'>('p95')
  const [scale, setScale] = useState<'linear' | 'log'>('linear')
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState<number | null>(null)
  const lines = series.slice(0, mostLines)
  const ids = lines.map(idOf).join('\n')
  const columns = useMemo(() => columnsOf(minutes, lines, figure), [minutes, series, figure])

  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<ReturnType<typeof drawChart>>()
  // A new set of lines or another scale is a new chart; new minutes are only new data.
  useEffect(() => {
    if (box.current === null) return
    const drawn = drawChart(box.current, { lines: lines.length, log: scale === 'log', onCursor: setAt })
    chart.current = drawn
    return () => drawn.destroy()
  }, [ids, scale])
  const visible = lines.map((line) => !hidden.has(idOf(line)))
  useEffect(() => chart.current?.show(columns, visible))

  return (
    <>
      <div class="controls">
        <Toggle label="Figure" options={['p50', 'p95']} value={figure} choose={(next) => setFigure(next)} />
        <Toggle label="Scale" options={['linear', 'log']} value={scale} choose={(next) => setScale(next)} />
      </div>
      <div
        class="plot"
        ref={box}
        role="img"
        aria-label={`${figure} by the minute; the figures are in the tables`}
      />
      <ul class="lines">
        {lines.map((line, i) => {
          const id = idOf(line)
          return (
            <li key={id}>
              <button
                type="button"
                aria-pressed={!hidden.has(id)}
                onClick={() => setHidden(toggled(hidden, id))}
              >
                <i class={`swatch line-${i}`} />
                <Where of={line} />
                <span class="number">{ms(valueAt(columns[i + 1], at))}</span>
              </button>
            </li>
          )
        })}
      </ul>
      {series.length > mostLines && (
        <p class="muted">
          The {mostLines} busiest of {series.length} are drawn: narrow it down by service or model.
        </p>
      )}
    </>
  )
}

/** Under the cursor, else the latest there is. */
function valueAt(column: ArrayLike<number | null | undefined> | undefined, at: number | null): number | null {
  if (column === undefined) return null
  if (at !== null) return column[at] ?? null
  return Array.from(column).findLast((value) => typeof value === 'number') ?? null
}
