import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig } from 'vite'

/** Rolldown's remark on how long plugins took is no problem of the page's. */
const quiet = { rolldownOptions: { checks: { pluginTimings: false } } }

const mimeTypes: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

export interface ServedPage extends AsyncDisposable {
  /** Ends with a slash. */
  readonly url: string
  readonly folder: string
}

/** Builds the page in `source` (a folder with an index.html) as a user's Vite would, into a temporary folder, and serves it. */
export async function buildAndServe(
  source: URL,
  options: { isolated?: boolean; config?: InlineConfig } = {},
): Promise<ServedPage> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-page-'))
  await build({
    configFile: false,
    root: fileURLToPath(source),
    base: './',
    logLevel: 'warn',
    ...options.config,
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', ...quiet, ...options.config?.build },
    worker: { format: 'es', ...quiet, ...options.config?.worker },
  })
  const served = await serveFolder(folder, options)
  return {
    ...served,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

/** Serves a folder on loopback, cross-origin isolated unless `isolated` is false. */
export async function serveFolder(folder: string, { isolated = true } = {}): Promise<ServedPage> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    const known =
      file.startsWith(folder) &&
      (await stat(file).then(
        (entry) => entry.isFile(),
        () => false,
      ))
    if (!known) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'content-type': mimeTypes[extname(file)] ?? 'application/octet-stream',
      ...(isolated && {
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      }),
    })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    folder,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
