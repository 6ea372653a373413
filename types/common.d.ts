// What browsers, Node 20, Deno, Bun and edge workers all have. The neutral configuration sees this list and
// nothing else of any platform, so a neutral file that reaches for `document` or `Buffer` does not compile.
// Add a line only for what really exists on every one of them.

declare const performance: { now(): number; readonly timeOrigin: number }
declare function setTimeout(callback: () => void, delayMs?: number): TimerHandle
declare function clearTimeout(handle: TimerHandle | undefined): void
declare function setInterval(callback: () => void, delayMs?: number): TimerHandle
declare function clearInterval(handle: TimerHandle | undefined): void
/** A number in browsers, an object in Node: only ever handed back. */
interface TimerHandle {
  readonly [Symbol.toPrimitive]?: unknown
}
declare function queueMicrotask(callback: () => void): void
declare function structuredClone<T>(value: T, options?: { transfer?: ArrayBuffer[] }): T
declare function btoa(binary: string): string
declare function atob(base64: string): string

interface Console {
  debug(...data: unknown[]): void
  info(...data: unknown[]): void
  log(...data: unknown[]): void
  warn(...data: unknown[]): void
  error(...data: unknown[]): void
}
declare const console: Console

declare const crypto: {
  getRandomValues<T extends Uint8Array | Uint32Array>(array: T): T
  randomUUID(): string
  readonly subtle: { digest(algorithm: string, data: ArrayBufferView | ArrayBuffer): Promise<ArrayBuffer> }
}

interface Event {
  readonly type: string
}
interface EventTarget {
  addEventListener(
    type: string,
    listener: (event: Event) => void,
    options?: { once?: boolean; signal?: AbortSignal },
  ): void
  removeEventListener(type: string, listener: (event: Event) => void): void
}
interface AbortSignal extends EventTarget {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
}
declare const AbortSignal: {
  abort(reason?: unknown): AbortSignal
  timeout(delayMs: number): AbortSignal
  any(signals: AbortSignal[]): AbortSignal
}
interface AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
declare const AbortController: { new (): AbortController }
interface DOMException extends Error {
  readonly code: number
}
declare const DOMException: { new (message?: string, name?: string): DOMException }

interface URLSearchParams {
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  append(name: string, value: string): void
  delete(name: string): void
  keys(): IterableIterator<string>
  entries(): IterableIterator<[string, string]>
  [Symbol.iterator](): IterableIterator<[string, string]>
  toString(): string
}
declare const URLSearchParams: {
  new (init?: string | Record<string, string> | [string, string][]): URLSearchParams
}
interface URL {
  href: string
  readonly origin: string
  protocol: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  hash: string
  username: string
  password: string
  readonly searchParams: URLSearchParams
  toString(): string
  toJSON(): string
}
declare const URL: {
  new (url: string | URL, base?: string | URL): URL
  canParse(url: string, base?: string): boolean
}

interface TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
}
declare const TextEncoder: { new (): TextEncoder }
interface TextDecoder {
  decode(bytes?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string
}
declare const TextDecoder: {
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder
}

interface ReadableStreamDefaultReader<T> {
  read(): Promise<{ done: false; value: T } | { done: true; value: T | undefined }>
  cancel(reason?: unknown): Promise<void>
  releaseLock(): void
}
interface ReadableStreamDefaultController<T> {
  enqueue(chunk: T): void
  close(): void
  error(reason?: unknown): void
}
interface ReadableStream<T = unknown> {
  readonly locked: boolean
  getReader(): ReadableStreamDefaultReader<T>
  cancel(reason?: unknown): Promise<void>
  pipeThrough<U>(pair: { readable: ReadableStream<U>; writable: WritableStream<T> }): ReadableStream<U>
  tee(): [ReadableStream<T>, ReadableStream<T>]
}
declare const ReadableStream: {
  new <T>(source?: {
    start?(controller: ReadableStreamDefaultController<T>): void | Promise<void>
    pull?(controller: ReadableStreamDefaultController<T>): void | Promise<void>
    cancel?(reason?: unknown): void | Promise<void>
  }): ReadableStream<T>
}
interface WritableStream<T = unknown> {
  readonly locked: boolean
  abort(reason?: unknown): Promise<void>
}
declare const WritableStream: { new <T>(): WritableStream<T> }
declare const CompressionStream: {
  new (
    format: 'gzip' | 'deflate',
  ): { readable: ReadableStream<Uint8Array<ArrayBuffer>>; writable: WritableStream<Uint8Array> }
}
declare const DecompressionStream: typeof CompressionStream

interface Blob {
  readonly size: number
  readonly type: string
  arrayBuffer(): Promise<ArrayBuffer>
  text(): Promise<string>
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
  slice(start?: number, end?: number, type?: string): Blob
}
declare const Blob: {
  new (parts?: (string | ArrayBuffer | ArrayBufferView | Blob)[], options?: { type?: string }): Blob
}

interface Headers {
  get(name: string): string | null
  has(name: string): boolean
  set(name: string, value: string): void
  append(name: string, value: string): void
  delete(name: string): void
  forEach(callback: (value: string, name: string) => void): void
  entries(): IterableIterator<[string, string]>
  [Symbol.iterator](): IterableIterator<[string, string]>
}
type HeadersInit = Headers | Record<string, string> | [string, string][]
declare const Headers: { new (init?: HeadersInit): Headers }
type BodyInit = string | ArrayBuffer | ArrayBufferView | Blob | URLSearchParams | ReadableStream<Uint8Array>
interface RequestInit {
  method?: string
  headers?: HeadersInit
  body?: BodyInit | null
  signal?: AbortSignal | null
  keepalive?: boolean
  cache?: 'default' | 'no-store' | 'reload' | 'no-cache' | 'force-cache' | 'only-if-cached'
  credentials?: 'omit' | 'same-origin' | 'include'
  redirect?: 'error' | 'follow' | 'manual'
  mode?: 'cors' | 'no-cors' | 'same-origin'
}
interface Body {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null
  readonly bodyUsed: boolean
  arrayBuffer(): Promise<ArrayBuffer>
  blob(): Promise<Blob>
  json(): Promise<unknown>
  text(): Promise<string>
}
interface Request extends Body {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly signal: AbortSignal
  clone(): Request
}
declare const Request: { new (input: string | URL | Request, init?: RequestInit): Request }
interface Response extends Body {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly url: string
  readonly redirected: boolean
  clone(): Response
}
interface ResponseInit {
  status?: number
  statusText?: string
  headers?: HeadersInit
}
declare const Response: { new (body?: BodyInit | null, init?: ResponseInit): Response }
declare function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
declare const WebAssembly: {
  readonly Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer }
}
