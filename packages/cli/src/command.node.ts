import { parseArgs } from 'node:util'

/** What a command writes to, and what ends it. */
export interface Terminal {
  out(line: string): void
  error(line: string): void
  /** Aborted when the user asks to stop. */
  readonly stop: AbortSignal
}

/** An option of a command. */
interface Option {
  readonly name: string
  /** How its value is called in the help. */
  readonly value: string
  readonly help: string
}

export interface Command {
  readonly name: string
  /** What stands behind the name, such as `DIR`. */
  readonly operands: readonly string[]
  readonly summary: string
  readonly options: readonly Option[]
  /** Runs until it is done or `terminal.stop` is aborted. */
  run(input: Input, terminal: Terminal): Promise<void>
}

/** What the user typed. */
export interface Input {
  readonly operands: readonly string[]
  readonly options: { readonly [name: string]: string | undefined }
}

/** The user's mistake in the command line: exit code 2. */
export class UsageError extends Error {}

/** @throws UsageError */
export function parseInput({ name, operands: expected, options }: Command, args: readonly string[]): Input {
  const known = Object.fromEntries(options.map((option) => [option.name, { type: 'string' as const }]))
  let values: { [name: string]: string | boolean | undefined }
  let operands: string[]
  try {
    ;({ values, positionals: operands } = parseArgs({
      args: [...args],
      options: known,
      allowPositionals: true,
    }))
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error))
  }
  if (operands.length < expected.length) throw new UsageError(`${name} needs ${expected[operands.length]}`)
  if (operands.length > expected.length)
    throw new UsageError(`${name} does not take '${operands[expected.length]}'`)
  const texts = Object.entries(values).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : undefined,
  ])
  return { operands, options: Object.fromEntries(texts) }
}

/** @throws UsageError */
export function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535))
    throw new UsageError(`--port must be a number from 0 (any that is free) to 65535, not '${text}'`)
  return port
}

/**
 * An empty host, as an unset variable leaves it, would listen on every address of the machine.
 * @throws UsageError
 */
export function parseHost(text: string | undefined): string | undefined {
  if (text?.trim() === '')
    throw new UsageError('--host must be an address such as 127.0.0.1 (0.0.0.0 for all), not empty')
  return text
}

export function help({ name, operands, summary, options }: Command): string {
  const rows = [
    ...options.map((option) => [`--${option.name} ${option.value}`, option.help]),
    ['--help', 'this text'],
  ]
  const width = Math.max(...rows.map(([left = '']) => left.length))
  return [
    `tandem ${[name, ...operands].join(' ')} [options]`,
    '',
    summary,
    '',
    'Options:',
    ...rows.map(([left = '', right]) => `  ${left.padEnd(width)}  ${right}`),
  ].join('\n')
}
