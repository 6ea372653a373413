export * from './index.js'
export { load } from './load.node.js'
