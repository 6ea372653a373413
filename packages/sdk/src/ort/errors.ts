import { type ErrorCode, InferenceError } from '../error.js'

type Meaning = readonly [code: ErrorCode, fix: string]

/** onnxruntime throws plain Errors (or numbers); what they mean stands in the text. First match wins. */
const meanings: readonly (readonly [RegExp, ...Meaning])[] = [
  [
    /bad_alloc|out of memory|failed to allocate|allocation failed|OrtMemory/i,
    'OUT_OF_MEMORY',
    'use a smaller model, batch or dtype',
  ],
  [/device.{0,20}lost|mapAsync|Instance dropped|destroyed device/i, 'DEVICE_LOST', 'load the model again'],
  [
    /requires f16|shader-f16|float16.*not supported/i,
    'FEATURE_MISSING',
    'use a variant without float16, or another device',
  ],
]

const createMeanings: typeof meanings = [
  [
    /No Op registered|not a registered function|is not supported.*opset|Opset \d+ is under development|Unsupported model IR|Unsupported data type/i,
    'UNSUPPORTED',
    'export the model with operators and dtypes that this onnxruntime knows (opset 26 at most)',
  ],
  [
    /no available backend|backend not found|provider.*(not|fail|cannot)|shared library|CUDA|failed to get GPU adapter|WebNN/i,
    'DEVICE_UNAVAILABLE',
    'use another device',
  ],
  [/File doesn't exist|No such file|NO_SUCHFILE/i, 'MODEL_NOT_FOUND', 'check its path'],
  [
    /protobuf|ModelProto|flatbuffer|INVALID_PROTOBUF|does not have a graph|Invalid model|ORT format/i,
    'NOT_A_MODEL',
    'check that the file is a whole ONNX model',
  ],
]

/** Of a session that could not be created, where the text says nothing known. */
const notCreated: Meaning = ['UNSUPPORTED', 'use another device or export the model differently']

const runMeanings: typeof meanings = [
  [/NOT_IMPLEMENTED|not implemented|could not find an implementation/i, 'UNSUPPORTED', 'use another device'],
]

/** Not INVALID_INPUT: the feeds passed the validator, and another device may well compute what this one can't. */
const notRun: Meaning = ['RUN_FAILED', 'names, dtypes and shapes fit, so try other values or another device']

/** What onnxruntime threw while it created a session, with a code. */
export function createError(error: unknown, model: string, device: string): InferenceError {
  const meaning = meaningOf(error, [...meanings, ...createMeanings]) ?? notCreated
  return typed(error, meaning, `${model}: no session on ${device}`, device)
}

/** What onnxruntime threw while it ran, with a code. */
export function runError(error: unknown, model: string, device: string): InferenceError {
  const meaning = meaningOf(error, [...meanings, ...runMeanings]) ?? notRun
  return typed(error, meaning, `${model}: the run failed on ${device}`, device)
}

function typed(error: unknown, [code, fix]: Meaning, problem: string, device: string): InferenceError {
  if (InferenceError.is(error)) return error
  return new InferenceError(code, `${problem}: ${text(error)}; ${fix}.`, { cause: error, data: { device } })
}

function meaningOf(error: unknown, table: typeof meanings): Meaning | undefined {
  const message = text(error)
  const row = table.find(([pattern]) => pattern.test(message))
  return row && [row[1], row[2]]
}

function text(error: unknown): string {
  if (!(error instanceof Error)) return `onnxruntime threw ${String(error)}`
  return error.message.trim().replace(/[.;]$/, '')
}
