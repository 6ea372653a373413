import { InferenceError } from './error.js'
import type { Port } from './session.js'
import { arrayOf, type DType, dtypes, elementCount, isDataOf } from './tensor.js'

export interface ValidateOptions {
  /** Named in messages. */
  readonly model: string
  /** Also checks the names of the outputs asked for. */
  readonly outputs?:
    | { readonly wanted: readonly string[] | undefined; readonly ports: readonly Port[] }
    | undefined
}

/**
 * Checks feeds against a model's inputs: names, dtypes, ranks, fixed dimensions, symbolic dimensions shared between inputs,
 * array classes, lengths, and values that a runtime would silently change. The same for browser, Node and server.
 *
 * @throws InferenceError INVALID_INPUT; `data.path` says where, e.g. `feeds.input.shape[1]` or `feeds["input:0"].data`
 */
export function validateFeeds(feeds: unknown, ports: readonly Port[], options: ValidateOptions): void {
  const { model } = options
  if (typeof feeds !== 'object' || feeds === null || Array.isArray(feeds)) {
    throw invalid(model, 'feeds', `feeds must be an object of tensors by input name: ${signature(ports)}`)
  }
  const given = feeds as Record<string, unknown>
  const symbols: Sized[] = []
  for (const port of ports) {
    if (!Object.hasOwn(given, port.name) || given[port.name] === undefined) {
      throw invalid(
        model,
        at(port.name),
        `input ${quote(port.name)} is missing; the model takes ${signature(ports)}`,
      )
    }
    checkTensor(given[port.name], { port, model }, symbols)
  }
  checkNames(given, ports, model)
  if (options.outputs !== undefined) checkWanted(options.outputs.wanted, options.outputs.ports, model)
}

function checkNames(given: Record<string, unknown>, ports: readonly Port[], model: string): void {
  const names = Object.keys(given)
  if (names.length === ports.length) return
  const unknown = names.find((name) => !ports.some((port) => port.name === name))
  if (unknown === undefined) return
  throw invalid(
    model,
    at(unknown),
    `there is no input ${quote(unknown)}; the model takes ${signature(ports)}`,
  )
}

function checkWanted(wanted: readonly string[] | undefined, ports: readonly Port[], model: string): void {
  if (wanted === undefined) return
  const names = ports.map((port) => port.name)
  const known = names.map(quote).join(', ')
  if (!Array.isArray(wanted) || wanted.length === 0) {
    throw invalid(model, 'outputs', `outputs must name at least one of ${known}; leave it out to get all`)
  }
  const index = wanted.findIndex((name) => !names.includes(name))
  if (index === -1) return
  throw invalid(
    model,
    `outputs[${index}]`,
    `there is no output ${quote(String(wanted[index]))}; the model gives ${known}`,
  )
}

/** Everything for a message; the message itself is only put together when something is wrong. */
interface Spot {
  readonly port: Port
  readonly model: string
}

/** A symbolic dimension's size, and the input that said so first. There are few: a list is quicker than a map. */
interface Sized {
  readonly name: string
  readonly size: number
  readonly port: string
}

function checkTensor(value: unknown, spot: Spot, symbols: Sized[]): void {
  const { dtype, shape, data } = (value ?? {}) as { dtype?: unknown; shape?: unknown; data?: unknown }
  if (typeof value !== 'object' || !isShape(shape) || !isArrayLike(data)) {
    throw wrong(spot, '', 'must be a tensor { dtype, shape, data }; make one with tensor(dtype, data, shape)')
  }
  if (dtype !== spot.port.dtype) {
    const known = dtypes.includes(dtype as DType) ? '' : ', which is no dtype'
    throw wrong(spot, '.dtype', `must be ${spot.port.dtype} but is ${String(dtype)}${known}`)
  }
  checkShape(shape, spot, symbols)
  checkData(data, shape, spot)
}

function checkShape(shape: readonly number[], spot: Spot, symbols: Sized[]): void {
  const { port } = spot
  // onnxruntime gives [] both for a scalar and for an unknown rank, and takes any shape for either: so must we.
  if (port.shape.length === 0) return
  if (shape.length !== port.shape.length) {
    throw wrong(
      spot,
      '.shape',
      `must have ${port.shape.length} dimension(s), ${showShape(port)}, but has ${shape.length}, [${shape.join(', ')}]`,
    )
  }
  for (let axis = 0; axis < shape.length; axis++) {
    const actual = shape[axis] as number
    const wanted = port.shape[axis]
    if (wanted === actual || wanted === undefined || wanted === '') continue
    if (typeof wanted === 'number') {
      const problem = `must be ${showShape(port)} but is [${shape.join(', ')}]: dimension ${axis} must be ${wanted}`
      throw wrong(spot, `.shape[${axis}]`, problem)
    }
    const seen = symbols.find(({ name }) => name === wanted)
    if (seen === undefined) symbols.push({ name: wanted, size: actual, port: port.name })
    else if (seen.size !== actual) {
      const problem =
        `has ${quote(wanted)} = ${actual} (dimension ${axis}) where input ${quote(seen.port)} has ${seen.size}; ` +
        'one name stands for one size'
      throw wrong(spot, `.shape[${axis}]`, problem)
    }
  }
}

function checkData(data: ArrayLike<unknown>, shape: readonly number[], spot: Spot): void {
  const { dtype } = spot.port
  if (!isDataOf(dtype, data)) {
    const wanted = dtype === 'string' ? 'an array of strings' : `of class ${arrayOf[dtype].name}`
    throw wrong(
      spot,
      '.data',
      `is ${dtype}, so its data must be ${wanted}; tensor('${dtype}', …) converts with checks`,
    )
  }
  const count = elementCount(shape)
  if (data.length !== count) {
    // A detached buffer looks like an empty one.
    const moved = data.length === 0 && 'buffer' in data && data.buffer.byteLength === 0
    const reason = moved ? '; was its buffer moved away by an earlier transfer: true?' : ''
    throw wrong(
      spot,
      '.data',
      `of shape [${shape.join(', ')}] needs ${count} value(s) but has ${data.length}${reason}`,
    )
  }
  if (dtype === 'bool') {
    const index = (data as Uint8Array).findIndex((value) => value > 1)
    if (index !== -1) throw wrong(spot, `.data[${index}]`, `is bool, so value ${index} must be 0 or 1`)
  }
  if (dtype === 'string') {
    // onnxruntime cuts a string at NUL, and a lone surrogate has no UTF-8.
    const index = (data as readonly string[]).findIndex((text) => /\0|\p{Surrogate}/u.test(text))
    if (index === -1) return
    throw wrong(
      spot,
      `.data[${index}]`,
      `holds a NUL or half a surrogate pair in string ${index}, which would not arrive`,
    )
  }
}

function isShape(shape: unknown): shape is readonly number[] {
  if (!Array.isArray(shape)) return false
  for (const dim of shape) if (!Number.isSafeInteger(dim) || dim < 0) return false
  return true
}

function isArrayLike(data: unknown): data is ArrayLike<unknown> {
  return (
    typeof data === 'object' && data !== null && typeof (data as { length?: unknown }).length === 'number'
  )
}

function signature(ports: readonly Port[]): string {
  const one = (port: Port): string => `${quote(port.name)}: ${port.dtype}${showShape(port)}`
  return ports.length === 0 ? 'no inputs' : ports.map(one).join(', ')
}

function showShape({ shape }: Port): string {
  return `[${shape.map((dim) => dim || '?').join(', ')}]`
}

function at(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `feeds.${name}` : `feeds[${quote(name)}]`
}

function quote(name: string): string {
  return JSON.stringify(name)
}

function wrong({ port, model }: Spot, path: string, problem: string): InferenceError {
  return invalid(model, `${at(port.name)}${path}`, `input ${quote(port.name)} ${problem}`)
}

function invalid(model: string, path: string, problem: string): InferenceError {
  return new InferenceError('INVALID_INPUT', `${model}: ${problem}.`, { data: { path } })
}
