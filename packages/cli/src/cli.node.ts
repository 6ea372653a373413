import { collectCommand } from './collect.node.js'
import { type Command, help, parseInput, type Terminal, UsageError } from './command.node.js'
import { serveCommand } from './serve.node.js'

const version = '0.1.0'
const commands: readonly Command[] = [serveCommand, collectCommand]

/**
 * Runs the command line `args`, without the program's name, and returns the exit code: 0 when it has done or was stopped, 1 for a
 * failure, 2 for a mistake in the command line. Every failure is one line.
 */
export async function cli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args
  const command = commands.find((candidate) => candidate.name === name)
  try {
    if (command === undefined) return overview(name, terminal)
    if (rest.includes('--help') || rest.includes('-h')) {
      terminal.out(help(command))
      return 0
    }
    await command.run(parseInput(command, rest), terminal)
    return 0
  } catch (error) {
    const text = (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ')
    const hint = error instanceof UsageError ? ` (see tandem ${name} --help)` : ''
    terminal.error(`tandem ${name}: ${text}${hint}`)
    return error instanceof UsageError ? 2 : 1
  }
}

function overview(name: string | undefined, { out, error }: Terminal): number {
  if (name === '--version' || name === '-v') {
    out(version)
    return 0
  }
  const usage = [
    'tandem COMMAND [options]',
    '',
    'Commands:',
    ...commands.map(
      (command) =>
        `  ${[command.name, ...command.operands].join(' ').padEnd(10)}  ${command.summary.split('\n')[0]}`,
    ),
    '',
    'tandem COMMAND --help tells more. tandem --version tells the version.',
  ].join('\n')
  if (name === '--help' || name === '-h') {
    out(usage)
    return 0
  }
  error(name === undefined ? usage : `tandem: there is no command '${name}' (see tandem --help)`)
  return 2
}
