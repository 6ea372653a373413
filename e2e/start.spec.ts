import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { freePorts, listening, start } from './harness/start.js'

it.each(['SIGINT', 'SIGTERM'] as const)(
  'starts all three, says where, and %s stops them cleanly',
  async (signal) => {
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
    run.child.kill(signal)
    expect(await run.exit, run.output).toBe(0)
    for (const port of Object.values(ports))
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
  },
)

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
