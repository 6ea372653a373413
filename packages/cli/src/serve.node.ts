import { type Command, parseHost, parsePort, UsageError } from './command.node.js'
import { stopped } from './stop.node.js'

/** One small batch a second, so that the collector's page is never far behind. */
const flushMs = 1000

export const serveCommand: Command = {
  name: 'serve',
  operands: ['DIR'],
  summary: [
    'Serves the models of a folder over the Open Inference Protocol, version 2: DIR/NAME.onnx, or DIR/NAME/1/model.onnx',
    'with an optional DIR/NAME/config.json.',
  ].join('\n'),
  options: [
    { name: 'port', value: 'PORT', help: '8000 by default; 0 for any that is free' },
    { name: 'host', value: 'HOST', help: '127.0.0.1 by default: this machine only' },
    {
      name: 'collector',
      value: 'URL',
      help: 'sends latencies to a collector, such as http://127.0.0.1:4318',
    },
    {
      name: 'device',
      value: 'LIST',
      help: 'where models run: auto (the default), cpu, cuda …; with commas, in that order',
    },
  ],
  async run({ operands: [dir = ''], options }, { out, error, stop }) {
    const port = parsePort(options.port)
    const host = parseHost(options.host)
    const endpoint = options.collector === undefined ? undefined : batchUrl(options.collector)
    const device = deviceList(options.device)
    // Only now: the help and a mistyped option need none of it.
    const [{ serve }, { telemetry }] = await Promise.all([
      import('@tandem/server'),
      import('@tandem/telemetry'),
    ])
    // A server is in production unless told otherwise: it must not print every call.
    const environment = process.env.NODE_ENV || 'production'
    const recorder =
      endpoint === undefined
        ? undefined
        : telemetry({ service: 'tandem-server', endpoint, environment, flushIntervalMs: flushMs })
    try {
      const serving = await serve({ dir, port, host, device, telemetry: recorder, log: error, signal: stop })
      out(
        `Serving ${serving.models.filter(({ state }) => state === 'READY').length} model(s) at ${serving.url}/v2`,
      )
      await stopped(stop)
      await serving.close()
    } catch (reason) {
      if (!stop.aborted) throw reason
    } finally {
      await recorder?.shutdown()
    }
  },
}

/** The collector's address, or the whole path of its batches. */
function batchUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--collector must be a URL such as http://127.0.0.1:4318, not '${text}'`)
  if (url.pathname === '/') url.pathname = '/v1/batch'
  return url.href
}

function deviceList(text: string | undefined): string | string[] | undefined {
  const devices = text?.split(',').map((name) => name.trim())
  return devices?.length === 1 ? devices[0] : devices
}
