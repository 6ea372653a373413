import { spawn } from 'node:child_process'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ports {
  readonly server: number
  readonly collector: number
  readonly demo: number
}

/** `npm start`'s script, on the ports given. */
export function start(ports: Ports) {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: {
      ...process.env,
      TANDEM_SERVER_PORT: String(ports.server),
      TANDEM_COLLECTOR_PORT: String(ports.collector),
      TANDEM_DEMO_PORT: String(ports.demo),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run = { child, output: '', exit: new Promise<number | null>((resolve) => child.on('exit', resolve)) }
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      run.output += chunk.toString()
      for (const listener of listeners) listener()
    })
  }
  const prints = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (run.output.includes(text)) resolve()
      }
      listeners.add(look)
      look()
      run.exit.then((code) =>
        reject(new Error(`ended with ${code} before it printed "${text}":\n${run.output}`)),
      )
    })
  return { run, prints }
}

export async function freePorts(): Promise<Ports> {
  const sockets = await Promise.all([0, 1, 2].map(() => listening()))
  const [server = 0, collector = 0, demo = 0] = sockets.map(
    (socket) => (socket.address() as AddressInfo).port,
  )
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.close(resolve))))
  return { server, collector, demo }
}

export function listening(): Promise<Server> {
  const socket = createServer()
  return new Promise<typeof socket>((resolve) => socket.listen(0, '127.0.0.1', () => resolve(socket)))
}
