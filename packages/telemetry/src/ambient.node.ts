import { AsyncLocalStorage } from 'node:async_hooks'
import type { SpanContext } from './span.js'
import type { Ambient } from './telemetry.js'

/** The surrounding trace, which in Node follows every `await` and callback by itself. One for each recorder. */
export function ambient(): Ambient {
  const storage = new AsyncLocalStorage<SpanContext>()
  return {
    current: () => storage.getStore(),
    runIn: (context, work) => storage.run(context, work),
  }
}
