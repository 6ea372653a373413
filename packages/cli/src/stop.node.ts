/** Resolves when `stop` is aborted. */
export function stopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
}

const forcedExitCode = 130

/** Aborted by the first SIGINT or SIGTERM. The second ends the process, whatever it is waiting for. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(forcedExitCode)
    controller.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return controller.signal
}
