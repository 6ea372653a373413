import * as ort from 'onnxruntime-web/wasm'
import { serve } from './serve.browser.js'

serve(ort)
