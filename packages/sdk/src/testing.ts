// The conformance suite of Session, and what to run it with.
export type { CaseOptions, OpenOptions, OpenSession, SessionCase } from './testing/case.js'
export { sessionCases } from './testing/cases.js'
// A session without onnxruntime.
export type { MemoryModel, MemoryOptions } from './testing/memory.js'
export { memorySession } from './testing/memory.js'
// Tiny models, with what they must answer.
export type { Named, TinyModel } from './testing/models.js'
export { add, awkward, identity, reshape, slow, twoOutputs } from './testing/models.js'
export type { ConvLayer } from './testing/networks.js'
export { convNet, imageShape, mlp } from './testing/networks.js'
// Models of one's own.
export type { Attribute, Graph, GraphPort, Node } from './testing/onnx.js'
export { encodeModel } from './testing/onnx.js'
export { randomFloats } from './testing/random.js'
export { edgeValues } from './testing/values.js'
