export { cli } from './cli.node.js'
export type { Terminal } from './command.node.js'
