// comlink ships this file's types beside it under a name that NodeNext does not find.
declare module 'comlink/dist/esm/node-adapter.mjs' {
  import type { Endpoint } from 'comlink'

  interface NodeEndpoint {
    postMessage(message: unknown, transfer?: readonly unknown[]): void
    on(type: string, listener: (value: unknown) => void): unknown
    off(type: string, listener: (value: unknown) => void): unknown
  }
  export default function nodeEndpoint(port: NodeEndpoint): Endpoint
}
