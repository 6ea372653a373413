// A real realm that closes itself when it is asked to run, before it begins: in Chromium nobody is told. The order matters.
import './close-on-run.js'
import '../../packages/sdk/dist/realm/worker.wasm.browser.js'
