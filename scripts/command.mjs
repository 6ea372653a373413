import { spawn } from 'node:child_process'

/**
 * Runs a command with its output shown, and resolves with its exit code (128 + n for signal n is folded to 1).
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** The repository's root, whatever folder the command was started in. */
export const root = new URL('..', import.meta.url)
