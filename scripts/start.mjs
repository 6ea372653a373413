// The inference server, the collector and the demo page on loopback, until Ctrl-C.
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { root, run } from './command.mjs'
import { ensureInstalled, fail } from './install.mjs'
import { freePort } from './ports.mjs'

const dev = process.argv.includes('--dev')
const graceMs = 10_000
const pollMs = 100

const ports = await Promise.all([
  freePort('TANDEM_SERVER_PORT', 8000),
  freePort('TANDEM_COLLECTOR_PORT', 4318),
  freePort('TANDEM_DEMO_PORT', 5173),
]).catch((error) => fail(error.message))
if (new Set(ports).size < ports.length) fail(`The three ports must differ, not ${ports.join(', ')}.`)
const [serverPort, collectorPort, demoPort] = ports
const url = (port) => `http://127.0.0.1:${port}`

await ensureInstalled()
console.log('Building …')
if ((await run('npm', ['run', '--silent', 'build'], { cwd: root })) !== 0)
  fail('The build failed; its lines above say why.')

const { assembleModels } = await import('../demo/scripts/models.mjs')
const models = await assembleModels()
const telemetry = fileURLToPath(new URL('.tandem/telemetry', root))
await mkdir(telemetry, { recursive: true })

const stopping = new AbortController()
const children = [
  tandem('collect', '--dir', telemetry, '--port', String(collectorPort)),
  tandem('serve', models, '--port', String(serverPort), '--collector', url(collectorPort)),
]
// Whatever ends this process, the servers must not stay.
process.on('exit', () => {
  for (const { child } of children) child.kill('SIGTERM')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stopping.abort())

const page = await openPage().catch((error) => {
  console.error(error.message)
  stopping.abort()
})
await Promise.all([answers(`${url(serverPort)}/v2/health/ready`), answers(`${url(collectorPort)}/healthz`)])
if (page && !stopping.signal.aborted) {
  console.log(
    `\n  demo       ${url(demoPort)}\n  server     ${url(serverPort)}/v2\n  collector  ${url(collectorPort)}\n\nCtrl-C stops all three.`,
  )
}
if (!stopping.signal.aborted)
  await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve))
console.log('\nStopping …')
await page?.close()
const codes = await Promise.all(children.map(stop))
process.exit(page && codes.every((code) => code === 0) ? 0 : 1)

/** In a process group of its own, so that a terminal's Ctrl-C reaches it once, through us, and it can drain. */
function tandem(...args) {
  const main = fileURLToPath(new URL('packages/cli/dist/main.node.js', root))
  const child = spawn(process.execPath, [main, ...args], {
    // The channel tells it when we are gone, even by SIGKILL.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
    cwd: root,
  })
  const exit = new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
  exit.then((code) => {
    if (stopping.signal.aborted) return
    console.error(`tandem ${args[0]} ended by itself (exit code ${code}).`)
    stopping.abort()
  })
  return { child, exit }
}

/** Resolves when `address` answers 200, or when we are stopping. */
async function answers(address) {
  while (!stopping.signal.aborted) {
    const response = await fetch(address).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

async function stop({ child, exit }) {
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
  const code = await exit
  clearTimeout(force)
  return code
}

async function openPage() {
  const vite = await import('vite')
  const config = { server: url(serverPort), collector: url(collectorPort) }
  const answer = (server) => {
    server.middlewares.use('/config.json', (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(config))
    })
  }
  const listen = { host: '127.0.0.1', port: demoPort, strictPort: true }
  const options = {
    configFile: fileURLToPath(new URL('vite.config.ts', root)),
    logLevel: 'warn',
    server: listen,
    preview: listen,
    plugins: [{ name: 'tandem-config', configureServer: answer, configurePreviewServer: answer }],
  }
  const before = process.listeners('SIGTERM')
  const page = dev ? await (await vite.createServer(options)).listen() : await vite.preview(options)
  // Vite ends the process at a SIGTERM, before the two servers have been stopped: they would stay.
  for (const listener of process.listeners('SIGTERM'))
    if (!before.includes(listener)) process.off('SIGTERM', listener)
  return page
}
