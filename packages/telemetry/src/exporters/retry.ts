import type { Random } from '../ids.js'

const firstDelayMs = 1000
const longestDelayMs = 30_000
const longestRetryAfterMs = 300_000

/** Statuses after which another try may help; after any other the same batch would fare the same. */
export const retryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** A `Retry-After` header, seconds or a date, as milliseconds from `wallMs`; undefined when there is none or it cannot be read. */
export function retryAfterMs(header: string | null, wallMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - wallMs : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.min(longestRetryAfterMs, Math.max(0, ms))
}

/**
 * The wait after `failures` failed tries in a row: doubling from a second to thirty, less up to half of it at random so that a
 * thousand pages do not come back at once. Where the server named a time, that, and up to a tenth more.
 */
export function retryDelayMs(failures: number, askedMs: number | undefined, random: Random): number {
  const byte = new Uint8Array(1)
  random(byte)
  const chance = (byte[0] as number) / 256
  if (askedMs !== undefined) return askedMs * (1 + chance / 10)
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1)) * (1 - chance / 2)
}
