export interface Config {
  /** The inference server's origin, without a slash at the end. */
  readonly server: string
  readonly collector: string
}

const defaults: Config = { server: 'http://127.0.0.1:8000', collector: 'http://127.0.0.1:4318' }

/** Where the two servers are: `?server=` and `?collector=`, else the page's /config.json, else their usual ports. */
export async function readConfig(search: string, fetchFile: typeof fetch = fetch): Promise<Config> {
  const query = new URLSearchParams(search)
  const served = await fetchFile('/config.json')
    .then((response) => (response.ok ? response.json() : undefined))
    .catch(() => undefined)
  const pick = (name: keyof Config): string =>
    [query.get(name), fieldOf(served, name)].flatMap(origin)[0] ?? defaults[name]
  return { server: pick('server'), collector: pick('collector') }
}

function fieldOf(value: unknown, name: keyof Config): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { [field: string]: unknown })[name]
    : undefined
}

/** Only http and https: the collector's address becomes a link. */
function origin(value: unknown): string[] {
  if (typeof value !== 'string' || !URL.canParse(value) || !/^https?:/.test(value)) return []
  return [value.replace(/\/+$/, '')]
}
