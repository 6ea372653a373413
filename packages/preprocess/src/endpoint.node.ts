import type { Endpoint } from 'comlink'

/** A worker as its parent sees it, or the parent as the worker sees it. */
export interface NodePort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void
  on(event: 'message', listener: (data: unknown) => void): unknown
  off(event: 'message', listener: (data: unknown) => void): unknown
}

/** Gives a Node port the shape of a browser's, which comlink wants. */
export const endpoint = (port: NodePort): Endpoint => {
  const listeners = new Map<unknown, (data: unknown) => void>()
  return {
    postMessage: (message: unknown, transfer?: readonly ArrayBuffer[]) => port.postMessage(message, transfer),
    addEventListener(_type: string, listener: unknown) {
      const onMessage = (data: unknown): void => deliver(listener, { data })
      listeners.set(listener, onMessage)
      port.on('message', onMessage)
    },
    removeEventListener(_type: string, listener: unknown) {
      const onMessage = listeners.get(listener)
      if (onMessage !== undefined) port.off('message', onMessage)
      listeners.delete(listener)
    },
  }
}

function deliver(listener: unknown, event: { readonly data: unknown }): void {
  if (typeof listener === 'function') listener(event)
  else (listener as { handleEvent(event: unknown): void }).handleEvent(event)
}
