import { type ErrorData, InferenceError } from '../error.js'
import type { Tensor } from '../tensor.js'
import { closeBody, joinBody, splitBody } from './body.js'
import { wireType } from './datatype.js'
import { membersOf, parametersOf, readTensor, type Source } from './readtensor.js'
import type { Encoded, Fail, Parameters, ParameterValue } from './wire.js'
import { writeTensor } from './writetensor.js'

/** A tensor and its name. */
export interface NamedTensor {
  readonly name: string
  readonly tensor: Tensor
}

/** An output that the client asks for, and whether as bytes. */
export interface RequestedOutput {
  readonly name: string
  readonly binary: boolean
}

/** A request to infer. */
export interface InferRequest {
  readonly id?: string | undefined
  readonly parameters?: Parameters | undefined
  /** Each name once. */
  readonly inputs: readonly NamedTensor[]
  /** In the order of the answer. Absent: all of the model's. */
  readonly outputs?: readonly RequestedOutput[] | undefined
  /** Whether outputs come as bytes when `outputs` is absent. */
  readonly binaryOutput?: boolean | undefined
}

/**
 * Writes a request. The tensors are copied.
 * @param options.binary tensors as bytes, which is exact for every dtype and about five times smaller than JSON
 * @throws InferenceError INVALID_INPUT with `data.path` for a value that the form can't carry
 */
export function encodeRequest(request: InferRequest, options: { readonly binary: boolean }): Encoded {
  const { id, inputs, outputs, binaryOutput } = request
  // Wide elements first: every tensor then starts at a multiple of its element size, and the reader needs no copy.
  const sorted = inputs.toSorted((a, b) => wireType(b.tensor.dtype).bytes - wireType(a.tensor.dtype).bytes)
  const tensors = sorted.map(({ name, tensor }, index) =>
    writeTensor(name, tensor, options.binary, `inputs[${index}]`, invalid),
  )
  const parameters = { ...request.parameters, ...(binaryOutput ? { binary_data_output: true } : {}) }
  const members = [
    ...(id ? [`"id":${JSON.stringify(id)}`] : []),
    ...(Object.keys(parameters).length > 0 ? [`"parameters":${JSON.stringify(parameters)}`] : []),
    `"inputs":[${tensors.map(({ json }) => json).join(',')}]`,
    ...(outputs ? [`"outputs":${JSON.stringify(outputs.map(listed))}`] : []),
  ]
  return joinBody(`{${members.join(',')}}`, tensors)
}

/**
 * Reads a request, strictly.
 * @param jsonLength the value of the header Inference-Header-Content-Length, null if there was none
 * @throws InferenceError INVALID_INPUT with `data.path`, such as `inputs[0].data[17]`
 */
export function decodeRequest(body: Uint8Array<ArrayBuffer>, jsonLength: string | null): InferRequest {
  const source = splitBody(body, jsonLength, { tolerant: false, fail: invalid })
  const root = membersOf(source.document.root, '', invalid)
  const { id, inputs } = root
  if (id !== undefined && typeof id !== 'string') throw invalid('id', 'id must be a string')
  if (!Array.isArray(inputs))
    throw invalid('inputs', "Unable to parse 'inputs': a request has an array of inputs")
  const names = new Set<string>()
  const tensors = inputs.map((entry, index): NamedTensor => {
    const path = `inputs[${index}]`
    const named = readTensor(entry, path, source)
    if (names.has(named.name))
      throw invalid(`${path}.name`, `input '${named.name}' already exists in request`)
    names.add(named.name)
    return named
  })
  closeBody(source, 'input')
  const { binary_data_output: binaryOutput, ...parameters } = requestParameters(root, source)
  return {
    ...(id ? { id } : {}),
    parameters,
    inputs: tensors,
    outputs: requestedOutputs(root.outputs, source),
    binaryOutput: binaryOutput === true,
  }
}

const listed = ({ name, binary }: RequestedOutput): object => ({ name, parameters: { binary_data: binary } })

function requestParameters(root: { readonly [name: string]: unknown }, source: Source): Parameters {
  const entries = Object.entries(parametersOf(root, '', source))
  for (const [name, value] of entries) {
    if (!isParameter(value)) {
      throw invalid(`parameters.${name}`, `parameter '${name}' must be a string, a number or a boolean`)
    }
  }
  return Object.fromEntries(entries) as Parameters
}

const isParameter = (value: unknown): value is ParameterValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** An empty list asks for everything, as none does. `binary_data_output` does not reach a listed output, as in Triton and KServe. */
function requestedOutputs(outputs: unknown, source: Source): RequestedOutput[] | undefined {
  if (outputs === undefined) return undefined
  if (!Array.isArray(outputs)) throw invalid('outputs', 'outputs must be an array')
  const names = new Set<string>()
  const requested = outputs.map((entry, index): RequestedOutput => {
    const path = `outputs[${index}]`
    const members = membersOf(entry, path, invalid)
    const { name } = members
    if (typeof name !== 'string') throw invalid(`${path}.name`, `${path}.name must be a string`)
    if (names.has(name)) throw invalid(`${path}.name`, `output '${name}' already exists in request`)
    names.add(name)
    const { binary_data: binary = false, ...others } = parametersOf(members, path, source)
    if (typeof binary !== 'boolean') {
      throw invalid(`${path}.parameters.binary_data`, `output '${name}': binary_data must be true or false`)
    }
    for (const asked of ['classification', 'shared_memory_region']) {
      if (asked in others)
        throw invalid(`${path}.parameters.${asked}`, `output '${name}': ${asked} is not supported`)
    }
    return { name, binary }
  })
  return requested.length > 0 ? requested : undefined
}

const invalid: Fail = (path, message) => {
  const data: ErrorData = path ? { path } : {}
  return new InferenceError('INVALID_INPUT', message, { data })
}
