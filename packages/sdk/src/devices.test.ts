import { describe, expect, it } from 'vitest'
import { choose, type DeviceRequest, type Probe } from './devices.js'

const browser = (webgpu: NonNullable<Probe['devices']['webgpu']>, jspi = true): Probe => ({
  platform: 'browser',
  devices: { webgpu, webnn: { state: 'absent', reason: 'no navigator.ml' } },
  jspi,
  shaderF16: false,
  threads: undefined,
})
const hardware = browser({ state: 'ready', reason: 'adapter apple' })
const software = browser({ state: 'software', reason: 'software' })
const none = browser({ state: 'absent', reason: 'no adapter' }, false)
const node: Probe = {
  platform: 'node',
  devices: {
    tensorrt: { state: 'absent', reason: 'no library' },
    cuda: { state: 'absent', reason: 'no library' },
    dml: { state: 'foreign', reason: 'not on linux' },
    coreml: { state: 'foreign', reason: 'not on linux' },
  },
  jspi: false,
  shaderF16: true,
  threads: undefined,
}

describe('choose()', () => {
  it.each<[string, Probe, DeviceRequest, string[], string[]]>([
    ['auto prefers a real adapter', hardware, 'auto', ['webgpu:jspi', 'wasm:wasm'], []],
    ['auto never prefers a software adapter', software, 'auto', ['wasm:wasm'], ['webgpu: software']],
    ['auto does without an adapter', none, 'auto', ['wasm:wasm'], ['webgpu: no adapter']],
    ['one name may be a software adapter', software, 'webgpu', ['webgpu:jspi'], []],
    [
      'without JSPI the larger file',
      browser({ state: 'ready', reason: '' }, false),
      'webgpu',
      ['webgpu:webgpu'],
      [],
    ],
    ['one name is strict', none, 'webgpu', [], ['webgpu: no adapter']],
    ['a list keeps its order', software, ['wasm', 'webgpu'], ['wasm:wasm', 'webgpu:jspi'], []],
    [
      'a list passes over what is absent',
      none,
      ['webnn', 'webgpu', 'wasm'],
      ['wasm:wasm'],
      ['webnn: no navigator.ml', 'webgpu: no adapter'],
    ],
    [
      'auto in Node without what is not for this system',
      node,
      'auto',
      ['cpu:node'],
      ['tensorrt: no library', 'cuda: no library'],
    ],
    ['a list in Node', node, ['dml', 'cpu'], ['cpu:node'], ['dml: not on linux']],
  ])('%s', (_what, probe, request, candidates, skipped) => {
    const choice = choose(probe, request)
    expect(choice.candidates.map(({ device, asset }) => `${device}:${asset}`)).toEqual(candidates)
    expect(choice.skipped.map(({ device, reason }) => `${device}: ${reason}`)).toEqual(skipped)
    for (const attempt of choice.skipped)
      expect(attempt).toMatchObject({ outcome: 'skipped', code: 'DEVICE_UNAVAILABLE' })
  })

  it.each<[Probe, unknown, string]>([
    [
      none,
      'gpu',
      'There is no device "gpu"; use \'auto\' or, in order of preference, any of: webgpu, webnn, wasm.',
    ],
    [none, ['wasm', 'cuda'], 'Device "cuda" is for Node'],
    [node, 'wasm', 'Device "wasm" is for browsers'],
    [node, [], 'There is no device []'],
    [node, undefined, 'There is no device'],
  ])('an unknown name is an error that lists the names', (probe, request, message) => {
    const attempt = (): unknown => choose(probe, request as DeviceRequest)
    expect(attempt).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(message) }),
    )
  })
})
