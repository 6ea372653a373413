import { type Command, parsePort } from './command.node.js'
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
    const { dir = defaultDir, host } = options
    const port = parsePort(options.port)
    const { collect } = await import('@tandem/collector')
    const collecting = await collect({ dir, host, port })
    out(`Collecting at ${collecting.url}`)
    await stopped(stop)
    await collecting.close()
  },
}
