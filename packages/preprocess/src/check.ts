import { InferenceError } from '@tandem/sdk/error'

/** A typed refusal. `where` is the option or argument as the caller wrote it: `image().crop`. */
export const invalid = (where: string, problem: string, data: Record<string, unknown> = {}): InferenceError =>
  new InferenceError('INVALID_INPUT', `${where}: ${problem}`, { data: { path: where, ...data } })

/** A value as a message shows it: short, and never the content of a buffer. */
export const show = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value))
    return `[${value.slice(0, 4).map(show).join(', ')}${value.length > 4 ? ', …' : ''}]`
  return Object.prototype.toString.call(value).slice(8, -1)
}

/** Refuses anything but a whole number from `min` to `max`. */
export const whole = (where: string, value: unknown, min: number, max: number): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw invalid(where, `must be a whole number from ${min} to ${max}, got ${show(value)}`)
  }
  return value
}

export const oneOf = <const T extends string>(where: string, value: unknown, choices: readonly T[]): T => {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw invalid(where, `must be one of ${choices.join(', ')}, got ${show(value)}`)
  return found
}

/** Refuses names that no option has: a misspelt one would otherwise be ignored in silence. */
export const onlyKeys = (where: string, value: object, known: readonly string[]): void => {
  const stranger = Object.keys(value).find((key) => !known.includes(key))
  if (stranger !== undefined) throw invalid(where, `has no option "${stranger}"; it has ${known.join(', ')}`)
}

/** One number for all three channels, or one each. */
export const triple = (where: string, value: unknown): readonly [number, number, number] => {
  const [a, b, c, ...rest] =
    typeof value === 'number' ? [value, value, value] : Array.isArray(value) ? value : []
  if (rest.length > 0 || ![a, b, c].every((part) => typeof part === 'number' && Number.isFinite(part))) {
    throw invalid(where, `must be a number or three of them (red, green, blue), got ${show(value)}`)
  }
  return [Number(a), Number(b), Number(c)]
}
