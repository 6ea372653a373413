// What a page downloads for each package, against its budget: minified by Vite, gzip -9, onnxruntime left out. The entry is what
// importing everything costs at the start; the other chunks come on demand, and one page needs one realm worker of the three.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root } from './command.mjs'

const budgets = {
  '@tandem/sdk': {
    entry: 15_000,
    session: 10_000,
    'host.browser': 5_000,
    'worker.wasm.browser': 5_000,
    'worker.jspi.browser': 5_000,
    'worker.webgpu.browser': 5_000,
  },
  '@tandem/telemetry': { entry: 8_000 },
}

let over = 0
for (const [name, limits] of Object.entries(budgets)) {
  for (const { chunk, gzip } of await bundle(name)) {
    const limit = limits[chunk]
    const verdict = limit === undefined ? 'NO BUDGET' : gzip > limit ? 'OVER' : 'ok'
    if (verdict !== 'ok') over++
    console.log(`${verdict.padEnd(4)} ${name} ${chunk}: ${gzip} of ${limit} bytes gzip`)
  }
}
process.exitCode = over === 0 ? 0 : 1

/** The chunks of a page that imports everything `name` exports, its worker included. */
async function bundle(name) {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-size-'))
  try {
    const entry = join(folder, 'entry.js')
    await writeFile(entry, `import * as all from ${JSON.stringify(name)}\nglobalThis.all = all\n`)
    const external = [/^onnxruntime/]
    const alias = { [name]: fileURLToPath(new URL(`node_modules/${name}/dist/index.browser.js`, root)) }
    const { output } = await build({
      configFile: false,
      root: folder,
      logLevel: 'silent',
      resolve: { alias },
      worker: { format: 'es', rollupOptions: { external } },
      build: { write: false, rollupOptions: { input: entry, external } },
    })
    return output
      .filter((file) => file.fileName.endsWith('.js'))
      .map((file) => {
        const code = file.type === 'chunk' ? file.code : file.source
        return {
          chunk: file.fileName.replace(/^.*\//, '').replace(/-[\w-]{8}\.js$/, ''),
          gzip: gzipSync(code, { level: 9 }).length,
        }
      })
  } finally {
    await rm(folder, { recursive: true })
  }
}
