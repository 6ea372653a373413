import { spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** `npm start`'s script, on the ports given. */
function start(ports: { server: number; collector: number; demo: number }) {
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

async function freePorts(): Promise<{ server: number; collector: number; demo: number }> {
  const sockets = await Promise.all([0, 1, 2].map(() => listening()))
  const [server = 0, collector = 0, demo = 0] = sockets.map(
    (socket) => (socket.address() as AddressInfo).port,
  )
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.close(resolve))))
  return { server, collector, demo }
}

function listening() {
  const socket = createServer()
  return new Promise<typeof socket>((resolve) => socket.listen(0, '127.0.0.1', () => resolve(socket)))
}

it('starts all three, says where, and stops cleanly', async () => {
  const ports = await freePorts()
  const { run, prints } = start(ports)
  await prints('Ctrl-C stops all three.')
  const answers = await Promise.all(
    [
      `http://127.0.0.1:${ports.server}/v2/models/blazeface/ready`,
      `http://127.0.0.1:${ports.server}/v2/models/silero_vad/ready`,
      `http://127.0.0.1:${ports.collector}/`,
      `http://127.0.0.1:${ports.demo}/`,
    ].map(async (url) => [url, (await fetch(url)).status]),
  )
  expect(answers.filter(([, status]) => status !== 200)).toEqual([])
  const config = await (await fetch(`http://127.0.0.1:${ports.demo}/config.json`)).json()
  expect(config).toEqual({
    server: `http://127.0.0.1:${ports.server}`,
    collector: `http://127.0.0.1:${ports.collector}`,
  })
  run.child.kill('SIGINT')
  expect(await run.exit, run.output).toBe(0)
  for (const port of Object.values(ports)) await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

it('names a busy port in one line', async () => {
  const taken = await listening()
  const { port } = taken.address() as AddressInfo
  const { run } = start({ ...(await freePorts()), collector: port })
  expect(await run.exit).toBe(1)
  expect(run.output).toBe(
    `Port ${port} is in use; stop what uses it or set TANDEM_COLLECTOR_PORT to another port.\n`,
  )
  await new Promise((resolve) => taken.close(resolve))
})
