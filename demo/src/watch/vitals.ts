import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import type { Vital, VitalName } from '../state/state.js'

/** The page's own web vitals, told whenever one changes. For the page's lifetime: web-vitals knows no end. */
export function watchVitals(tell: (name: VitalName, vital: Vital) => void): void {
  const report = ({ name, value, rating }: Metric): void => tell(name, { value, rating })
  for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(report, { reportAllChanges: true })
}
