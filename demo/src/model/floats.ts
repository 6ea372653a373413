import { InferenceError, type Tensor } from '@tandem/sdk'

/** The values of a float32 tensor. @throws InferenceError NOT_A_MODEL when the model gave something else */
export function floats(tensor: Tensor | undefined): Float32Array {
  if (tensor?.dtype === 'float32') return tensor.data
  throw new InferenceError(
    'NOT_A_MODEL',
    `This page knows models whose outputs are float32; this one gave ${tensor?.dtype ?? 'none'}. Serve the page’s own models.`,
  )
}
