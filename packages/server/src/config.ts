import { InferenceError } from '@tandem/sdk'

/** What `config.json` beside a model's versions may say. */
export interface ModelConfig {
  /** Calls that may wait; one more is answered 503. 1000 by default. */
  readonly maxQueueSize?: number | undefined
  /** One device is strict, a list falls back in order. `'auto'` by default. */
  readonly device?: string | readonly string[] | undefined
  /** Threads of the runtime. */
  readonly threads?: number | undefined
}

const readers: { readonly [K in keyof Required<ModelConfig>]: (value: unknown) => boolean } = {
  maxQueueSize: (value) => isWhole(value, 0),
  device: (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
  threads: (value) => isWhole(value, 1),
}

const expected: { readonly [K in keyof Required<ModelConfig>]: string } = {
  maxQueueSize: 'a whole number, 0 or more',
  device: 'a device or a list of devices',
  threads: 'a whole number, 1 or more',
}

/**
 * Reads a `config.json`. A key that means nothing here is an error: it would be a wish that nobody fulfils.
 * @throws InferenceError INVALID_INPUT
 */
export function parseConfig(text: string): ModelConfig {
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch (error) {
    throw invalid('', `is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw invalid('', 'must be an object')
  for (const [key, value] of Object.entries(config)) {
    if (!isKey(key))
      throw invalid(key, `has the unknown key '${key}'; known are ${Object.keys(readers).join(', ')}`)
    if (!readers[key](value)) throw invalid(key, `has a wrong ${key}: it must be ${expected[key]}`)
  }
  return config
}

function isKey(key: string): key is keyof ModelConfig {
  return Object.hasOwn(readers, key)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least
}

function invalid(path: string, problem: string): InferenceError {
  return new InferenceError('INVALID_INPUT', `config.json ${problem}`, { data: { path } })
}
