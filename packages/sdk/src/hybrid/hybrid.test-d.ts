// Checked by the compiler only: what only_on_device forbids is an error before anything runs.
import type { Place, Session } from '../session.js'
import type { Tensor } from '../tensor.js'
import { hybrid } from './hybrid.js'

type Net = { inputs: { x: Tensor<'float32'> }; outputs: { y: Tensor<'int64'> } }

declare const load: () => Promise<Session<Net, 'local'>>
declare const remote: () => Promise<Session<Net, 'remote'>>
declare const mode: 'prefer_on_device' | 'only_on_device'

const either: Promise<Session<Net, Place>> = hybrid({ local: load, remote, mode: 'prefer_on_device' })
const onDevice: Promise<Session<Net, 'local'>> = hybrid({ local: load, mode: 'only_on_device' })
const inCloud: Promise<Session<Net, 'remote'>> = hybrid({ remote, mode: 'only_in_cloud' })

// @ts-expect-error a remote is forbidden on the device
hybrid({ local: load, remote, mode: 'only_on_device' })
// @ts-expect-error a remote session is no local one
hybrid({ local: remote, mode: 'only_on_device' })
// @ts-expect-error the mode could forbid the remote
hybrid({ local: load, remote, mode })
// @ts-expect-error nothing to fall back to
hybrid({ local: load, mode: 'prefer_on_device' })
// @ts-expect-error unknown mode
hybrid({ local: load, remote, mode: 'fastest' })

async function typed(): Promise<void> {
  const session = await onDevice
  const result = await session.run({ x: { dtype: 'float32', shape: [1], data: new Float32Array(1) } })
  const place: 'local' = result.place
  const data: BigInt64Array = result.outputs.y.data
  // @ts-expect-error the model has no such output
  result.outputs.z
  // @ts-expect-error wrong dtype
  await session.run({ x: { dtype: 'int32', shape: [1], data: new Int32Array(1) } })
  // @ts-expect-error a feed is missing
  await session.run({})
  void [place, data, either, inCloud]
}
void typed
