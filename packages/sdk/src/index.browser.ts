export * from './index.js'
export { load } from './load.browser.js'
