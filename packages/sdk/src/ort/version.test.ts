import { expect, it } from 'vitest'
import sdk from '../../package.json' with { type: 'json' }
import { ortVersion } from './version.js'

it.each(['onnxruntime-node', 'onnxruntime-web'] as const)(
  'is the release of %s that the package asks for',
  (name) => {
    expect(sdk.peerDependencies[name]).toBe(ortVersion)
  },
)
