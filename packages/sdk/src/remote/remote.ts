import { InferenceError } from '../error.js'
import type { Model, Session } from '../session.js'
import type { RemoteOptions } from './options.js'

/**
 * A model on a server that speaks the Open Inference Protocol, version 2: Tandem, Triton, KServe, MLServer. Tensors travel as bytes
 * where the server says that it takes them, else as JSON.
 *
 * A run rejects with `signal.reason` on abort, and with an InferenceError: INVALID_INPUT (refused here or by the server; `data.path`),
 * MODEL_NOT_FOUND, QUEUE_FULL (`data.retryAfterMs`), DEADLINE, DISPOSED, REMOTE (no answer, or none that can be read).
 *
 * @param url `…/v2/models/NAME`, or `…/v2/models/NAME/versions/VERSION`
 * @throws InferenceError as above, UNSUPPORTED for a model with a datatype that no tensor holds
 */
export async function remote<M extends Model = Model>(
  url: string | URL,
  options: RemoteOptions = {},
): Promise<Session<M, 'remote'>> {
  // On demand: a page that stays on the device does not even download what could send.
  const { openRemote } = await import('./session.js').catch((cause: unknown) => {
    throw new InferenceError(
      'REMOTE',
      "remote() could not be loaded: check that the page's scripts are still served, or reload it",
      { cause },
    )
  })
  return openRemote(url, options)
}
