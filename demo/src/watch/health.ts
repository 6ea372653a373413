import type { Config } from '../config.js'
import type { Reachable, ServerName } from '../state/state.js'

const paths: { readonly [S in ServerName]: string } = { server: '/v2/health/ready', collector: '/healthz' }
const intervalMs = 5000
const timeoutMs = 3000

/** Asks both servers every five seconds, while the page can be seen, whether they are there. Ends with `signal`. */
export function watchHealth(
  config: Config,
  signal: AbortSignal,
  tell: (server: ServerName, reachable: Reachable) => void,
): void {
  async function ask(server: ServerName): Promise<void> {
    const reachable = await fetch(config[server] + paths[server], {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      cache: 'no-store',
    }).then(
      (response) => response.ok,
      () => false,
    )
    if (!signal.aborted) tell(server, reachable ? 'up' : 'down')
  }
  function askBoth(): void {
    if (document.visibilityState === 'hidden') return
    ask('server')
    ask('collector')
  }
  askBoth()
  const timer = setInterval(askBoth, intervalMs)
  document.addEventListener('visibilitychange', askBoth, { signal })
  signal.addEventListener('abort', () => clearInterval(timer))
}
