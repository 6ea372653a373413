// Listens before the realm does.
self.addEventListener('message', (event: MessageEvent<{ path?: readonly string[] }>) => {
  if (event.data.path?.[0] !== 'run') return
  event.stopImmediatePropagation()
  self.close()
})
