import type { Header } from './headers/index.js'
import type { Bitmap } from './input.js'
import type { Pixels } from './pixels.js'
import type { Scratch } from './scratch.js'

/** What differs between browsers and Node: decoding a picture, and starting a worker. */
export interface Platform extends Decoder {
  /** Workers that fit on this machine beside its main thread. */
  readonly workers: number
  startWorker(url: string | URL | undefined): StartedWorker
}

export interface Decoder {
  /**
   * The pixels as they are stored: not turned by EXIF, colours not converted, alpha straight.
   * Whatever it throws is reported as INVALID_INPUT, unless it is an InferenceError. The pixels may lie in `memory`: one
   * picture is decoded and run at a time.
   */
  decode(bytes: Uint8Array, header: Header, memory: Scratch): Promise<Pixels>
  /** The pixels of a decoded picture, where the platform has such a thing. */
  readBitmap?: ((bitmap: Bitmap) => Pixels) | undefined
}

/** comlink's Endpoint in our own words: its types speak the DOM's, which this package's public types must not. */
interface MessageEndpoint {
  postMessage(message: unknown, transfer?: unknown): void
  addEventListener(type: string, listener: (event: Event) => void, options?: object): void
  removeEventListener(type: string, listener: (event: Event) => void, options?: object): void
  start?: () => void
}

export interface StartedWorker {
  readonly endpoint: MessageEndpoint
  /** Resolves when it can be given jobs, so that its death is noticed from the first on. Never rejects. */
  readonly ready: Promise<void>
  /** Resolves with the reason once the worker is gone. Never rejects. */
  readonly gone: Promise<string>
  /** Whether the process has to wait for it. */
  hold(held: boolean): void
  end(): Promise<void>
}
