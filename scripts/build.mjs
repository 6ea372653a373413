// Makes what `tsc -b` does not: the collector's dashboard, the demo page, and the licence that each package carries.

import { chmod, copyFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { root } from './command.mjs'

for (const config of ['packages/collector/vite.config.ts', 'vite.config.ts']) {
  await build({ configFile: fileURLToPath(new URL(config, root)), logLevel: 'warn' })
}

// npm makes a package's commands executable when it installs them, which here is before they are built.
await chmod(fileURLToPath(new URL('packages/cli/dist/main.node.js', root)), 0o755)

for (const name of await readdir(new URL('packages', root))) {
  for (const file of ['LICENSE', 'NOTICE']) {
    await copyFile(new URL(file, root), new URL(`packages/${name}/${file}`, root))
  }
}
