// What a page can still do when it goes away.

/** Calls `leave` on the tick on which the page is hidden or left; the returned function stops that. */
export function onLeave(leave: () => void): () => void {
  const page = globalThis.document as Document | undefined
  if (page === undefined) return () => {}
  const hidden = (): void => {
    if (page.visibilityState === 'hidden') leave()
  }
  page.addEventListener('visibilitychange', hidden)
  // At the window, for the event never reaches the document.
  addEventListener('pagehide', leave)
  return () => {
    page.removeEventListener('visibilitychange', hidden)
    removeEventListener('pagehide', leave)
  }
}

/** A beacon in fetch's clothes, for browsers whose fetch has no keepalive. What it sends is answered by nobody: taken is delivered. */
export const beaconFetch: typeof fetch | undefined =
  typeof Request === 'function' && 'keepalive' in Request.prototype ? undefined : sendBeacon

async function sendBeacon(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const body = new Blob([init?.body as Uint8Array<ArrayBuffer>], { type: 'text/plain' })
  if (!navigator.sendBeacon(String(input), body)) throw new TypeError('the browser refuses the beacon')
  return new Response(null, { status: 204 })
}
