/** What an environment keeps and says. Data, so that an environment is a row and an option overrides one field. */
export interface Policy {
  /** Calls that take longer are kept and, with `log: 'slow'`, warned about. Milliseconds. */
  readonly slowMs: number
  /** The share of traces kept whatever their time, 0 to 1, by trace id: the same traces in the browser and on the server. */
  readonly sample: number
  /** So many of each minute's slowest calls are kept. */
  readonly worstPerMinute: number
  /** Which calls the console shows. */
  readonly log: 'all' | 'slow' | 'none'
  /** How long recorded figures wait for company before they are sent. Milliseconds. */
  readonly flushIntervalMs: number
}

/** An environment of another name gets the production row. Errors are kept in all of them. */
export const policies: { readonly production: Policy; readonly development: Policy } = {
  production: { slowMs: 500, sample: 0.1, worstPerMinute: 10, log: 'slow', flushIntervalMs: 5000 },
  development: { slowMs: 500, sample: 1, worstPerMinute: 10, log: 'all', flushIntervalMs: 1000 },
}

/** The environment's row, with those fields replaced that `overrides` sets. */
export function policyOf(
  environment: string,
  overrides: { readonly [F in keyof Policy]?: Policy[F] | undefined },
): Policy {
  const row = environment === 'development' ? policies.development : policies.production
  const set = Object.entries(overrides).filter(([field, value]) => field in row && value !== undefined)
  return { ...row, ...Object.fromEntries(set) }
}
