import type { Clock } from './clock.js'
import { CollectorError } from './error.js'

/** Which series are asked for. A key that is absent lets all through; several values let each of them through. */
export interface Filter {
  readonly service: readonly string[]
  readonly name: readonly string[]
  readonly model: readonly string[]
  readonly device: readonly string[]
  readonly place: readonly string[]
  readonly stage: readonly string[]
  /** Milliseconds since 1970, or undefined for everything. */
  readonly sinceMs: number | undefined
}

export const labels = ['service', 'name', 'model', 'device', 'place', 'stage'] as const

const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Reads `?service=…&stage=…&since=…`. `since` is milliseconds since 1970, or an age such as `15m`.
 * @throws CollectorError INVALID_QUERY for a key or a time that it does not know
 */
export function readFilter(params: URLSearchParams, clock: Clock): Filter {
  known(params, [...labels, 'since'])
  const all = (label: (typeof labels)[number]) => params.getAll(label)
  return {
    service: all('service'),
    name: all('name'),
    model: all('model'),
    device: all('device'),
    place: all('place'),
    stage: all('stage'),
    sinceMs: readSince(params.get('since'), clock),
  }
}

/**
 * Reads `?limit=`.
 * @throws CollectorError INVALID_QUERY unless it is a whole number from 1 to `most`
 */
export function readLimit(params: URLSearchParams, usual: number, most: number): number {
  known(params, ['limit'])
  const text = params.get('limit') ?? String(usual)
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= most) return limit
  throw new CollectorError('INVALID_QUERY', `limit must be a whole number from 1 to ${most}`, {
    path: 'limit',
  })
}

function known(params: URLSearchParams, keys: readonly string[]): void {
  for (const key of params.keys()) {
    if (keys.includes(key)) continue
    throw new CollectorError('INVALID_QUERY', `unknown parameter: use ${keys.join(', ')}`, {
      path: key.slice(0, 40),
    })
  }
}

function readSince(text: string | null, clock: Clock): number | undefined {
  if (text === null || text === '') return undefined
  const age = /^(\d{1,9})([smhd])$/.exec(text)
  const unitMs = unitsMs[age?.[2] ?? '']
  if (unitMs !== undefined) return clock.now() - Number(age?.[1]) * unitMs
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new CollectorError(
    'INVALID_QUERY',
    'since must be milliseconds since 1970, or an age such as 15m or 24h',
    {
      path: 'since',
    },
  )
}
