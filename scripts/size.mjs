// What a page downloads for each package, against its budget: minified by Vite, gzip -9, onnxruntime left out.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root } from './command.mjs'

const budgets = [
  { name: '@tandem/sdk', limit: 15_000 },
  { name: '@tandem/telemetry', limit: 8_000 },
]

let over = 0
for (const { name, limit } of budgets) {
  const files = await bundle(name)
  const total = files.reduce((sum, file) => sum + file.gzip, 0)
  if (total > limit) over++
  const parts = files.map((file) => `${file.name} ${file.gzip}`).join(', ')
  console.log(`${total > limit ? 'OVER' : 'ok  '} ${name} ${total} of ${limit} bytes gzip (${parts})`)
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
          name: file.fileName.replace(/^.*\//, '').replace(/-[\w-]{8}\.js$/, ''),
          gzip: gzipSync(code, { level: 9 }).length,
        }
      })
  } finally {
    await rm(folder, { recursive: true })
  }
}
