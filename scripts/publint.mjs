// Every published package is linted as npm would pack it.
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { root } from './command.mjs'

let problems = 0
for (const name of await readdir(new URL('packages', root))) {
  const pkgDir = fileURLToPath(new URL(`packages/${name}`, root))
  const { messages, pkg } = await publint({ pkgDir, strict: true })
  for (const message of messages) {
    problems++
    console.error(`@tandem/${name}: ${formatMessage(message, pkg)}`)
  }
}
process.exitCode = problems === 0 ? 0 : 1
