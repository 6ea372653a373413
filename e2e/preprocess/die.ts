self.addEventListener('message', (event) => {
  const input = event.data.argumentList?.[0]?.value?.input
  if (input !== 'close' && input !== 'throw') return
  event.stopImmediatePropagation()
  if (input === 'close') self.close()
  else throw new Error('thrown in the worker')
})
