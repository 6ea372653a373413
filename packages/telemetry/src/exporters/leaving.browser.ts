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

/** What sends while the page goes away: fetch, or a beacon in its clothes where fetch has no keepalive. */
export const leavingFetch: typeof fetch = (input, init) =>
  'keepalive' in Request.prototype ? fetch(input, init) : sendBeacon(input, init)

/** Answered by nobody: taken is delivered. */
async function sendBeacon(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const body = new Blob([init?.body as Uint8Array<ArrayBuffer>], { type: 'text/plain' })
  if (!navigator.sendBeacon(String(input), body)) throw new TypeError('the browser refuses the beacon')
  return new Response(null, { status: 204 })
}
