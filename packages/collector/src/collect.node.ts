import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type CollectorOptions, collector } from './collector.node.js'
import { CollectorError } from './error.js'

/** Milliseconds that a whole request may take: the last bound on a client that sends a byte now and then. */
const requestMs = 60_000

/** Milliseconds for what has begun when the collector closes; then connections are cut. */
const drainMs = 5000

export interface CollectOptions extends CollectorOptions {
  /** Default 4318. 0 takes a free one. */
  readonly port?: number | undefined
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string | undefined
}

export interface Collecting {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string
  /** Takes no new connection, answers what has begun, and closes the files. */
  close(): Promise<void>
}

/**
 * A collector on a port.
 * @throws CollectorError PORT_IN_USE, FOLDER
 */
export async function collect(options: CollectOptions): Promise<Collecting> {
  const { port = 4318, host = '127.0.0.1', ...rest } = options
  const { fetch, close } = await collector(rest)
  const listener = getRequestListener(fetch, { hostname: host, overrideGlobalObjects: false })
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs / 4 }, listener)
  // A connection that is kept alive would hold a closing server open for seconds after its last answer.
  server.on('request', (_, response) =>
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    }),
  )
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    await close()
    throw busy(error, port, host)
  }
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      await drain(server)
      await close()
    },
  }
}

function drain(server: Server): Promise<void> {
  return new Promise<void>((resolve) => {
    const patience = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(patience)
      resolve()
    })
  })
}

function busy(error: unknown, port: number, host: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return error
  return new CollectorError(
    'PORT_IN_USE',
    `port ${port} on ${host} is taken: stop what uses it, or choose another port`,
    {
      cause: error,
    },
  )
}
