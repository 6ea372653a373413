import * as ort from 'onnxruntime-web/webgpu'
import { serve } from './serve.browser.js'

serve(ort)
