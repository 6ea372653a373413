import * as ort from 'onnxruntime-web/jspi'
import { serve } from './serve.browser.js'

serve(ort)
