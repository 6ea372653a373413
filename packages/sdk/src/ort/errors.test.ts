import { expect, it } from 'vitest'
import { InferenceError } from '../error.js'
import { createError, runError } from './errors.js'

// What onnxruntime 1.30 really says.
it.each([
  ['Load model from buffer failed:Protobuf parsing failed.', 'NOT_A_MODEL'],
  ['Load model from x failed:ModelProto does not have a graph.', 'NOT_A_MODEL'],
  [
    "Can't create a session. ERROR_CODE: 7, ERROR_MESSAGE: Failed to load model because protobuf parsing failed.",
    'NOT_A_MODEL',
  ],
  [
    '/onnxruntime_src/onnxruntime/core/session/provider_bridge_ort.cc:2195 Failed to load library libonnxruntime_providers_cuda.so with error: cannot open shared object file',
    'DEVICE_UNAVAILABLE',
  ],
  ['no available backend found. ERR: [webgpu] backend not found.', 'DEVICE_UNAVAILABLE'],
  ['Failed to get GPU adapter. You may need to enable flag', 'DEVICE_UNAVAILABLE'],
  ['std::bad_alloc', 'OUT_OF_MEMORY'],
  ['Fatal error: com.microsoft:Foo(-1) is not a registered function/op', 'UNSUPPORTED'],
])('creating: %s', (text, code) => {
  expect(createError(new Error(text), 'net', 'cpu')).toMatchObject({
    code,
    message: expect.stringContaining('net'),
  })
})

it.each([
  [
    "Non-zero status code returned while running Reshape node. Name:'' Status Message: input_shape_size == size was false",
    'RUN_FAILED',
  ],
  ['Program Add requires f16 but the device does not support it.', 'FEATURE_MISSING'],
  [
    "Failed to execute 'mapAsync' on 'GPUBuffer': A valid external Instance reference no longer exists.",
    'DEVICE_LOST',
  ],
  ['Could not find an implementation for Foo(1) node', 'UNSUPPORTED'],
])('running: %s', (text, code) => {
  expect(runError(new Error(text), 'net', 'webgpu')).toMatchObject({
    code,
    message: expect.stringContaining('webgpu'),
  })
})

it('keeps a typed error, and says a bare number', () => {
  const typed = new InferenceError('DISPOSED', 'gone')
  expect(runError(typed, 'net', 'cpu')).toBe(typed)
  expect(createError(9636832, 'net', 'wasm').message).toContain('onnxruntime threw 9636832')
})
