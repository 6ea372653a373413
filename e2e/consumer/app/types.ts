import { image, preprocessor } from '@tandem/preprocess'
import { hybrid, load, output, remote, tensor } from '@tandem/sdk'
import { InferenceError } from '@tandem/sdk/error'
import * as oip from '@tandem/sdk/oip'
import * as testing from '@tandem/sdk/testing'
import { telemetry } from '@tandem/telemetry'
export const all = [
  hybrid,
  load,
  remote,
  output,
  tensor,
  image,
  preprocessor,
  telemetry,
  oip,
  testing,
  InferenceError,
]
