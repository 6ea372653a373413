import { InferenceError } from '../error.js'
import type { Tensor } from '../tensor.js'
import { closeBody, joinBody, splitBody } from './body.js'
import { membersOf, parametersOf, readTensor } from './readtensor.js'
import type { Encoded, Fail, Parameters, ParameterValue } from './wire.js'
import { writeTensor } from './writetensor.js'

/** An answer to a request to infer. */
export interface InferResponse {
  readonly id?: string | undefined
  readonly model: string
  readonly version?: string | undefined
  readonly parameters: Parameters
  readonly outputs: { readonly [name: string]: Tensor }
}

/** An answer to be written. */
export interface InferAnswer {
  readonly id?: string | undefined
  readonly model: string
  readonly version: string
  /** Called when the tensors have been written, so that durations can include it. */
  readonly parameters: () => Parameters
  /** In the order of the answer. */
  readonly outputs: readonly { readonly name: string; readonly tensor: Tensor; readonly binary: boolean }[]
}

/**
 * Writes an answer. The tensors are copied.
 * @throws InferenceError INVALID_INPUT for a tensor that JSON can't carry: the client has to ask for the binary form
 */
export function encodeResponse(answer: InferAnswer): Encoded {
  const tensors = answer.outputs.map(({ name, tensor, binary }, index) =>
    writeTensor(name, tensor, binary, `outputs[${index}]`, uncarried),
  )
  const members = [
    ...(answer.id ? [`"id":${JSON.stringify(answer.id)}`] : []),
    `"model_name":${JSON.stringify(answer.model)}`,
    `"model_version":${JSON.stringify(answer.version)}`,
    `"parameters":${JSON.stringify(answer.parameters())}`,
    `"outputs":[${tensors.map(({ json }) => json).join(',')}]`,
  ]
  return joinBody(`{${members.join(',')}}`, tensors)
}

/**
 * Reads an answer of any server that speaks the protocol: null for what is optional, bare NaN and Infinity, unaligned tensors.
 * Aligned tensors are views of `body`.
 * @throws InferenceError REMOTE for what is not an answer
 */
export function decodeResponse(body: Uint8Array<ArrayBuffer>, jsonLength: string | null): InferResponse {
  const source = splitBody(body, jsonLength, { tolerant: true, fail: garbled })
  const root = membersOf(source.document.root, '', garbled)
  const { id, model_name: model, model_version: version, outputs } = root
  if (!Array.isArray(outputs)) throw garbled('outputs', 'it has no array of outputs')
  const tensors = new Map<string, Tensor>()
  for (const [index, entry] of outputs.entries()) {
    const { name, tensor } = readTensor(entry, `outputs[${index}]`, source)
    if (tensors.has(name)) throw garbled(`outputs[${index}].name`, `output '${name}' stands twice in it`)
    tensors.set(name, tensor)
  }
  closeBody(source, 'output')
  const parameters = Object.entries(parametersOf(root, '', source)).filter(
    (entry): entry is [string, ParameterValue] => ['string', 'number', 'boolean'].includes(typeof entry[1]),
  )
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    model: typeof model === 'string' ? model : '',
    ...(typeof version === 'string' ? { version } : {}),
    parameters: Object.fromEntries(parameters),
    outputs: Object.fromEntries(tensors),
  }
}

const uncarried: Fail = (path, message) => new InferenceError('INVALID_INPUT', message, { data: { path } })

const garbled: Fail = (path, message) =>
  new InferenceError('REMOTE', `the server's answer can't be read: ${message}`, {
    data: path ? { path } : {},
  })
