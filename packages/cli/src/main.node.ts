#!/usr/bin/env node
import { cli } from './cli.node.js'
import { stopSignal } from './stop.node.js'

const stop = stopSignal()
const code = await cli(process.argv.slice(2), {
  out: (line) => console.log(line),
  error: (line) => console.error(line),
  stop,
})
process.exit(code)
