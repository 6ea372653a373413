/** What a path stands for. */
export type Route =
  | { readonly kind: 'server' | 'live' | 'ready' | 'models' | 'index' }
  | {
      readonly kind: 'model' | 'modelReady' | 'infer'
      readonly model: string
      readonly version: string | undefined
    }

/** The method that each kind answers; HEAD goes with GET, OPTIONS with all. */
export const methodOf: { readonly [K in Route['kind']]: 'GET' | 'POST' } = {
  server: 'GET',
  live: 'GET',
  ready: 'GET',
  models: 'GET',
  index: 'POST',
  model: 'GET',
  modelReady: 'GET',
  infer: 'POST',
}

const fixed: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/v2', { kind: 'server' }],
  ['/v2/health/live', { kind: 'live' }],
  ['/v2/health/ready', { kind: 'ready' }],
  ['/v2/models', { kind: 'models' }],
  ['/v2/repository/index', { kind: 'index' }],
])

const modelPath = /^\/v2\/models\/([^/]+)(?:\/versions\/([0-9]+))?(\/ready|\/infer)?$/

/** Reads a path as the Open Inference Protocol and Triton do: no trailing slash, versions in digits only. */
export function route(pathname: string): Route | undefined {
  const known = fixed.get(pathname)
  if (known !== undefined) return known
  const [, encoded, version, action] = modelPath.exec(pathname) ?? []
  const model = encoded === undefined ? undefined : decode(encoded)
  if (model === undefined) return undefined
  const kind = action === '/infer' ? 'infer' : action === '/ready' ? 'modelReady' : 'model'
  return { kind, model, version }
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
