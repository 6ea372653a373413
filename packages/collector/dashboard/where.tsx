import type { JSX } from 'preact'
import type { SeriesKey } from '../src/series.js'
import { whatOf, whereOf } from './groups.js'

/** Names a group: what was called, where it ran, and for whom. */
export function Where({ of }: { of: Omit<SeriesKey, 'stage'> }): JSX.Element {
  return (
    <span class="where">
      <strong>{whatOf(of)}</strong>
      <span class="muted">
        {whereOf(of)} · {of.service}
      </span>
    </span>
  )
}
