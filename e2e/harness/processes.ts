import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../packages/cli/dist/main.node.js', import.meta.url))

export interface Running extends AsyncDisposable {
  readonly url: string
  /** Everything printed so far. */
  output(): string
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number>
}

/** Starts `tandem …` on a free port and resolves when it prints its URL. */
export async function tandem(...args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [main, ...args, '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const exit = new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const found = /^(?:Serving|Collecting) .*?(http:\/\/[\d.]+:\d+)/m.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', reject)
    exit.then((code) => reject(new Error(`tandem ${args.join(' ')} ended with ${code}:\n${output}`)))
  })
  async function stop(): Promise<number> {
    child.kill('SIGTERM')
    return exit
  }
  return {
    url,
    output: () => output,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}
