import { type Command, parseHost, parsePort } from './command.node.js'
import { stopped } from './stop.node.js'

const defaultDir = '.tandem/telemetry'

export const collectCommand: Command = {
  name: 'collect',
  operands: [],
  summary:
    'Collects latencies at /v1/batch, answers with percentiles at /v1/summary, and shows them on its page.',
  options: [
    { name: 'port', value: 'PORT', help: '4318 by default; 0 for any that is free' },
    { name: 'host', value: 'HOST', help: '127.0.0.1 by default: this machine only' },
    { name: 'dir', value: 'DIR', help: `where it keeps what it gets; ${defaultDir} by default` },
  ],
  async run({ options }, { out, stop }) {
    const { dir = defaultDir } = options
    const port = parsePort(options.port)
    const host = parseHost(options.host)
    const { collect } = await import('@tandem/collector')
    const starting = collect({ dir, host, port })
    // A long record takes its time to be read, and nothing is lost by leaving in the middle of it.
    const collecting = await Promise.race([starting, stopped(stop)])
    if (collecting === undefined) {
      starting.then(({ close }) => close()).catch(() => {})
      return
    }
    out(`Collecting at ${collecting.url}`)
    await stopped(stop)
    await collecting.close()
  },
}
