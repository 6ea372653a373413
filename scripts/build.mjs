// Builds what `tsc -b` does not: the collector's dashboard and the demo page.

import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { root } from './command.mjs'

for (const config of ['packages/collector/vite.config.ts', 'vite.config.ts']) {
  await build({ configFile: fileURLToPath(new URL(config, root)), logLevel: 'warn' })
}
