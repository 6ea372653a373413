import type { Parameters } from '../oip/index.js'
import type { Timings } from '../session.js'

/** What the server says about its own part, ms. Null: it says nothing. */
interface ServerTimes {
  readonly queue: number | null
  readonly input: number | null
  readonly inference: number | null
  readonly output: number | null
  readonly total: number | null
  readonly batchSize: number
}

/**
 * The timings of a remote call: the stages are the server's, and network is what the server does not account for: both ways on the
 * wire, encoding and decoding here. Durations of two machines are compared, never their clocks.
 */
export function remoteTimings(total: number, parameters: Parameters, serverTiming: string | null): Timings {
  const server = serverTimes(parameters, serverTiming)
  return {
    total,
    queue: server.queue,
    preprocess: null,
    input: server.input,
    inference: server.inference,
    output: server.output,
    postprocess: null,
    network: server.total === null ? null : Math.max(0, total - server.total),
    batchSize: server.batchSize,
    computeShare: server.inference === null ? null : server.inference / server.batchSize,
    cache: 'none',
  }
}

/** Parameters first: a page reads the header only where CORS exposes it. */
function serverTimes(parameters: Parameters, serverTiming: string | null): ServerTimes {
  const header = readServerTiming(serverTiming ?? '')
  const duration = (name: string): number | null => {
    const value = parameters[`${name}_ms`] ?? header.get(name)
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
  }
  const { batch_size: size } = parameters
  return {
    queue: duration('queue'),
    input: duration('input'),
    inference: duration('inference'),
    output: duration('output'),
    total: duration('total'),
    batchSize: typeof size === 'number' && Number.isInteger(size) && size > 0 ? size : 1,
  }
}

function readServerTiming(header: string): ReadonlyMap<string, number> {
  const entries = header.split(',').map((metric): [string, number] => {
    const [name = '', ...options] = metric.split(';').map((part) => part.trim())
    const duration = options.find((option) => option.startsWith('dur='))
    return [name, Number(duration?.slice(4) ?? Number.NaN)]
  })
  return new Map(entries)
}
