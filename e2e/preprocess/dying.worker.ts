// The real worker, that dies on a plan whose input is called «close» or «throw», before it can answer.
import './die.js'
import '../../packages/preprocess/dist/worker.browser.js'
