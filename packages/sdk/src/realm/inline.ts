import type { RealmHost } from './protocol.js'
import type { Endpoint } from './realm.js'

/** A realm in this very thread: for those who already are in a worker, or whose model takes less than a message does. */
export function inlineEndpoint(open: () => RealmHost | Promise<RealmHost>): Endpoint {
  let host: RealmHost | undefined
  return {
    remote: false,
    host: {
      async create(request) {
        host ??= await open()
        return host.create(request)
      },
      // There is no session to run or release before one was created.
      run: (request) => (host as RealmHost).run(request),
      release: (session) => (host as RealmHost).release(session),
    },
    ready: Promise.resolve(),
    onDeath: () => {},
    setBusy: () => {},
    close: () => {},
  }
}
