import uPlot from 'uplot'
import { minute, ms } from './format.js'

const heightPx = 260
const manyPoints = 40

/** The time axis is no shorter: a single minute has no length. */
const leastS = 5 * 60

/** Between two labels of the time axis: none below a minute, for the labels are minutes. */
const stepsS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 360, 720, 1440, 2880, 10_080].map(
  (minutes) => minutes * 60,
)

export interface DrawOptions {
  readonly lines: number
  readonly log: boolean
  /** Index of the minute under the cursor, or null. */
  readonly onCursor: (at: number | null) => void
}

export interface Drawn {
  show(columns: uPlot.AlignedData, visible: readonly boolean[]): void
  destroy(): void
}

/** uPlot in a box: follows the box's width and the page's colours. */
export function drawChart(box: HTMLElement, { lines, log, onCursor }: DrawOptions): Drawn {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  let shown: Parameters<Drawn['show']> | undefined
  let plot = make()

  const sizes = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: heightPx }))
  sizes.observe(box)
  dark.addEventListener('change', remake)

  return {
    show(...now) {
      shown = now
      fill(plot, now)
    },
    destroy() {
      sizes.disconnect()
      dark.removeEventListener('change', remake)
      plot.destroy()
    },
  }

  /** The colours are painted into the canvas, so other colours need another canvas. */
  function remake(): void {
    plot.destroy()
    plot = make()
    if (shown !== undefined) fill(plot, shown)
  }

  function make(): uPlot {
    const style = getComputedStyle(box)
    const color = (name: string) => style.getPropertyValue(name).trim()
    const axis: uPlot.Axis = {
      stroke: color('--muted'),
      font: '12px system-ui, sans-serif',
      grid: { stroke: color('--grid'), width: 1 },
      ticks: { show: false },
    }
    return new uPlot(
      {
        width: box.clientWidth,
        height: heightPx,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: {
          x: { range: ({ data: [times] }) => wholeTime(times) },
          y: log ? { distr: 3 } : { range: (_, __, max) => [0, (max || 1) * 1.1] },
        },
        axes: [
          {
            ...axis,
            space: 70,
            incrs: stepsS,
            values: (_, ticks) => ticks.map((tick) => minute(tick * 1000)),
          },
          {
            ...axis,
            size: 64,
            values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : short(tick))),
          },
        ],
        series: [
          {},
          ...Array.from({ length: lines }, (_, i) => {
            const stroke = color(`--line-${i}`)
            return { stroke, width: 2, points: { show: fewPoints, size: 6, fill: stroke, stroke } }
          }),
        ],
        hooks: { setCursor: [(self) => onCursor(self.cursor.idx ?? null)] },
      },
      [[], ...Array.from({ length: lines }, () => [])],
      box,
    )
  }
}

/** Of what is there, whatever uPlot proposes: for a single minute that is the next thousand days. */
function wholeTime(times: ArrayLike<number>): uPlot.Range.MinMax {
  const [first, last] = [times[0], times[times.length - 1]]
  if (first === undefined || last === undefined) return [null, null]
  return [Math.min(first, last - leastS), last]
}

function fill(plot: uPlot, [columns, visible]: Parameters<Drawn['show']>): void {
  if (columns.length !== plot.series.length) return
  plot.batch(() => {
    for (let i = 1; i < plot.series.length; i++) {
      const show = visible[i - 1] ?? true
      if (plot.series[i]?.show !== show) plot.setSeries(i, { show })
    }
    plot.setData(columns)
  })
}

/** A minute between two silent ones is no line: it shows as a point. */
function fewPoints(plot: uPlot): boolean {
  return plot.data[0].length <= manyPoints
}

function short(tick: number): string {
  return ms(tick).replace(/\.0+ |(\.\d*[1-9])0+ /, '$1 ')
}
