import type { Recorder } from '@tandem/telemetry'

export interface RemoteOptions {
  /** Records one `infer` span a run. Without it, the recorder of a run's `trace` does. */
  readonly telemetry?: Recorder | undefined
  /** Sent with every request; a function is asked each time, for tokens that expire. */
  readonly headers?:
    | Record<string, string>
    | (() => Record<string, string> | Promise<Record<string, string>>)
    | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** The model's name in errors, `info` and telemetry. By default the one in the URL. */
  readonly name?: string | undefined
  /** Ends asking the server about the model. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds after which a server that has not answered is taken for gone (REMOTE); a run's `deadlineMs` goes before it. 60 000 by default. */
  readonly timeoutMs?: number | undefined
}
