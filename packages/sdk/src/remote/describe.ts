import { InferenceError } from '../error.js'
import { readPorts } from '../oip/index.js'
import type { Port } from '../session.js'
import { shown } from './address.js'
import type { Exchange } from './exchange.js'
import { failureOf, isPage, pageInstead } from './failure.js'

/** What a server tells about itself and a model. */
export interface Description {
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  readonly extensions: readonly string[]
  /** Its name and version. */
  readonly runtime: string
}

/**
 * Reads `GET /v2` and `GET /v2/models/NAME`. A gateway may hide the former: then the server is taken to have no extensions.
 * @throws InferenceError MODEL_NOT_FOUND, REMOTE, UNSUPPORTED
 */
export function describe(server: Exchange, model: Exchange): Description {
  const { inputs, outputs, platform } = metadataOf(model)
  const { name, version, extensions } = server.status === 200 && !isPage(server) ? metadataOf(server) : {}
  const words = [name, version].filter((word) => typeof word === 'string' && word !== '')
  return {
    inputs: readPorts(inputs, 'inputs'),
    outputs: readPorts(outputs, 'outputs'),
    extensions: Array.isArray(extensions)
      ? extensions.filter((extension) => typeof extension === 'string')
      : [],
    runtime: words.join(' ') || (typeof platform === 'string' ? platform : 'unknown'),
  }
}

function metadataOf(exchange: Exchange): { readonly [name: string]: unknown } {
  if (exchange.status !== 200) throw failureOf(exchange)
  if (isPage(exchange)) throw pageInstead(exchange)
  try {
    const metadata: unknown = JSON.parse(new TextDecoder().decode(exchange.body))
    if (typeof metadata === 'object' && metadata !== null && 'name' in metadata) return { ...metadata }
  } catch {
    // Said below, like every other answer that names nothing.
  }
  throw new InferenceError(
    'REMOTE',
    `${shown(exchange.url)} answered with something that is not model metadata`,
    {
      data: { status: exchange.status, url: shown(exchange.url) },
    },
  )
}
