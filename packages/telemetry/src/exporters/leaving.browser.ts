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
