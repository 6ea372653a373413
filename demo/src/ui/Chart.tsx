import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { labelOf } from '../places.js'
import type { Group, State } from '../state/state.js'

const height = 280
/** Calls are counted in whole numbers. */
const wholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000]

/** The custom properties that hold the lines' colours, in order. */
const inks = ['--ink-1', '--ink-2', '--ink-3', '--ink-4', '--ink-5', '--ink-6', '--ink-7', '--ink-8'] as const

/** The total of every warm call, by place, in the order in which they ran. Logarithmic: places differ a hundredfold. */
export function Chart({ state }: { state: State }): JSX.Element {
  const holder = useRef<HTMLDivElement>(null)
  const groups = useMemo(
    () =>
      state.groups.filter(({ model, values }) => model === state.model && (values.total?.length ?? 0) > 0),
    [state.groups, state.model],
  )
  const names = groups.map((group) => group.key).join()

  const plot = useRef<uPlot>()
  const latest = useRef(groups)
  latest.current = groups

  // A new plot for other lines, and for another colour scheme; new points only go into the one there is.
  useEffect(() => {
    const element = holder.current
    if (element === null || names === '') return
    const listening = new AbortController()
    const draw = (): void => {
      plot.current?.destroy()
      plot.current = new uPlot(optionsFor(latest.current, element), columns(latest.current), element)
    }
    draw()
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw, { signal: listening.signal })
    const resizing = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }))
    resizing.observe(element)
    return () => {
      listening.abort()
      resizing.disconnect()
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [names])

  useEffect(() => {
    plot.current?.setData(columns(groups))
  }, [groups])

  return (
    <section class="card chart" aria-labelledby="chart-title">
      <h2 id="chart-title">Every warm call</h2>
      <p class="note">
        Milliseconds of each warm call, in order, on a logarithmic scale. Choose a name to hide its line; the
        table below has the same calls in figures.
      </p>
      <div ref={holder} class="plot" data-testid="chart" style={{ minHeight: `${height + 40}px` }}>
        {names === '' && <p class="blank">Nothing measured yet.</p>}
      </div>
    </section>
  )
}

function tick(value: number): string {
  const round = (number: number): number => Number(number.toPrecision(3))
  return value < 1000 ? `${round(value)} ms` : `${round(value / 1000)} s`
}

function columns(groups: readonly Group[]): uPlot.AlignedData {
  const longest = Math.max(0, ...groups.map((group) => group.values.total?.length ?? 0))
  const lines = groups.map(({ values: { total = [] } }) =>
    Array.from({ length: longest }, (_, i) => total[i] ?? null),
  )
  return [Array.from({ length: longest }, (_, i) => i + 1), ...lines]
}

function optionsFor(groups: readonly Group[], element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
    font: `12px ${style.fontFamily}`,
  }
  return {
    width: element.clientWidth,
    height,
    scales: { x: { time: false }, y: { distr: 3 } },
    axes: [
      { ...axis, incrs: wholeSteps },
      {
        ...axis,
        size: 64,
        values: (_, splits) => splits.map((value) => (value === null ? '' : tick(value))),
      },
    ],
    legend: { live: false },
    series: [
      { label: 'Call' },
      ...groups.map((group, i) => ({
        label: `${labelOf(group.choice)} · ${group.device}`,
        stroke: colour(inks[i % inks.length] ?? inks[0]),
        width: 1.5,
        points: { show: (plot: uPlot) => plot.data[0].length < 100, size: 5 },
      })),
    ],
  }
}
