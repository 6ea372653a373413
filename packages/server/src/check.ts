import { InferenceError, type Port, type Session, validateFeeds } from '@tandem/sdk'
import { type InferRequest, portMetadata, wireType } from '@tandem/sdk/oip'

/**
 * Checks a request against a model: first what Triton's clients know by Triton's words, then with the validator that every
 * session uses, its paths turned into those of the request.
 * @throws InferenceError INVALID_INPUT with `data.path`
 */
export function checkRequest(request: InferRequest, session: Session, model: string): void {
  checkNames(request, session, model)
  for (const [index, { name, tensor }] of request.inputs.entries()) {
    const port = session.inputs.find((input) => input.name === name)
    if (port === undefined) continue
    const [given, wanted] = [wireType(tensor.dtype).datatype, wireType(port.dtype).datatype]
    if (given !== wanted) {
      const message = `inference input '${name}' data-type is '${given}', but model '${model}' expects '${wanted}'`
      throw invalid(message, `inputs[${index}].datatype`)
    }
    checkShape(port, tensor.shape, index, model)
  }
  const feeds = Object.fromEntries(request.inputs.map(({ name, tensor }) => [name, tensor]))
  try {
    validateFeeds(feeds, session.inputs, { model })
  } catch (error) {
    throw InferenceError.is(error) ? rewritten(error, request) : error
  }
}

function checkNames({ inputs, outputs }: InferRequest, session: Session, model: string): void {
  const known = new Set(session.inputs.map(({ name }) => name))
  const given = new Set(inputs.map(({ name }) => name))
  const unknown = inputs.findIndex(({ name }) => !known.has(name))
  const missing = [...known].filter((name) => !given.has(name))
  if (missing.length > 0) {
    const count = `expected ${known.size} inputs but got ${given.size} inputs for model '${model}'`
    const names = `Got input(s) [${quoted(given)}], but missing required input(s) [${quoted(missing)}]`
    throw invalid(`${count}. ${names}. Please provide all required input(s).`, 'inputs')
  }
  if (unknown >= 0) {
    const text = `unexpected inference input '${inputs[unknown]?.name}' for model '${model}'`
    throw invalid(`${text}; it takes [${quoted(known)}]`, `inputs[${unknown}].name`)
  }
  const outputNames = session.outputs.map(({ name }) => name)
  const wrong = outputs?.findIndex(({ name }) => !outputNames.includes(name)) ?? -1
  if (wrong >= 0) {
    const text = `unexpected inference output '${outputs?.[wrong]?.name}' for model '${model}'`
    throw invalid(`${text}; it gives [${quoted(outputNames)}]`, `outputs[${wrong}].name`)
  }
}

function checkShape(port: Port, shape: readonly number[], index: number, model: string): void {
  // onnxruntime gives [] both for a scalar and for an unknown rank.
  if (port.shape.length === 0) return
  const fits = port.shape.every((size, axis) => typeof size === 'string' || size === shape[axis])
  if (fits && shape.length === port.shape.length) return
  const expected = portMetadata(port).shape
  const example = expected.map((size) => (size < 0 ? 1 : size))
  const text = `unexpected shape for input '${port.name}' for model '${model}'. Expected [${expected}], got [${shape}]`
  throw invalid(`${text}: send such as [${example}]`, `inputs[${index}].shape`)
}

/** `feeds.image.shape[1]` → `inputs[0].shape[1]` */
function rewritten(error: InferenceError, { inputs }: InferRequest): InferenceError {
  const path = String(error.data?.path ?? '')
  const index = inputs.findIndex(({ name }) =>
    [`feeds.${name}`, `feeds[${JSON.stringify(name)}]`].some((start) => isUnder(path, start)),
  )
  const { name } = inputs[index] ?? {}
  if (name === undefined) return error
  const start = isUnder(path, `feeds.${name}`) ? `feeds.${name}` : `feeds[${JSON.stringify(name)}]`
  return invalid(error.message, `inputs[${index}]${path.slice(start.length)}`)
}

function isUnder(path: string, start: string): boolean {
  return path.startsWith(start) && /^$|^[.[]/.test(path.slice(start.length))
}

function quoted(names: Iterable<string>): string {
  return Array.from(names, (name) => `'${name}'`).join(', ')
}

function invalid(message: string, path: string): InferenceError {
  return new InferenceError('INVALID_INPUT', message, { data: { path } })
}
