import { createServer } from 'node:net'

/**
 * A port from the environment, checked to be free on loopback.
 *
 * @param {string} variable
 * @param {number} fallback
 * @returns {Promise<number>}
 */
export async function freePort(variable, fallback) {
  const text = process.env[variable] ?? String(fallback)
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65535) {
    throw new Error(`${variable} must be a port from 1 to 65535, not "${text}".`)
  }
  await new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', (error) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `can't be used (${error.code})`
      reject(new Error(`Port ${port} ${why}; stop what uses it or set ${variable} to another port.`))
    })
    probe.listen(port, '127.0.0.1', () => probe.close(resolve))
  })
  return port
}
