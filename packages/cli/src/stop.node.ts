/** Resolves when `stop` is aborted. */
export function stopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
}

const forcedExitCode = 130

/** Aborted by the first SIGINT or SIGTERM, or the end of a parent with a channel to us. A second signal ends the process, whatever it is waiting for. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(forcedExitCode)
    controller.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  // Started by a process that keeps a channel to us: when that is gone, however it died, nobody is left to stop us.
  process.once('disconnect', () => controller.abort())
  process.channel?.unref()
  return controller.signal
}
