import type { Place } from '../session.js'
import type { Mode } from './options.js'

/**
 * The places that a call may try, best first. A place that could not be loaded comes last, so it costs nothing while the
 * other one answers and is tried again when nothing else is left.
 */
export function order(mode: Mode, failedToLoad: (place: Place) => boolean): Place[] {
  const places = allowed[mode]
  return [...places.filter((place) => !failedToLoad(place)), ...places.filter(failedToLoad)]
}

const allowed: { readonly [M in Mode]: readonly Place[] } = {
  prefer_on_device: ['local', 'remote'],
  only_on_device: ['local'],
  prefer_in_cloud: ['remote', 'local'],
  only_in_cloud: ['remote'],
}
