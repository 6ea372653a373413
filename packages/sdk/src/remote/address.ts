import { InferenceError } from '../error.js'

/** The places of one model on a server. */
export interface Address {
  /** `…/v2` */
  readonly server: string
  /** `…/v2/models/NAME[/versions/VERSION]` */
  readonly model: string
  /** `…/v2/models/NAME[/versions/VERSION]/infer` */
  readonly infer: string
  readonly name: string
}

const pattern = /^(.*\/v2)(\/models\/([^/?#]+)(?:\/versions\/[^/?#]+)?)(?:\/infer)?\/?(\?[^#]*)?(?:#.*)?$/

/**
 * Takes a model's URL apart. A query is kept on every request. May be relative where `fetch` takes relative URLs.
 * @throws InferenceError INVALID_INPUT
 */
export function parseAddress(url: string | URL): Address {
  const [, server, path, encoded, query = ''] = pattern.exec(String(url)) ?? []
  if (server === undefined || path === undefined || encoded === undefined) throw misread(url)
  const model = `${server}${path}`
  return {
    server: `${server}${query}`,
    model: `${model}${query}`,
    infer: `${model}/infer${query}`,
    name: decode(encoded, url),
  }
}

/** A URL as it may be shown: without a query and credentials, where secrets live. */
export function shown(url: string): string {
  return url.replace(/\?.*$/, '').replace(/\/\/[^/@]*@/, '//')
}

function decode(encoded: string, url: string | URL): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw misread(url)
  }
}

function misread(url: string | URL): InferenceError {
  return new InferenceError(
    'INVALID_INPUT',
    `remote() takes the URL of a model, such as https://host/v2/models/NAME or …/versions/1, and ${shown(String(url))} is none`,
    { data: { path: 'url' } },
  )
}
