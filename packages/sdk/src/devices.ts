import { InferenceError } from './error.js'
import type { Attempt } from './session.js'

/** Every device that Tandem knows, by the name of its execution provider. A new one is a row here, and a file in `ort/` if it needs one. */
const devices = [
  { device: 'webgpu', platform: 'browser', asset: 'webgpu', auto: true },
  { device: 'webnn', platform: 'browser', asset: 'webgpu', auto: false },
  { device: 'wasm', platform: 'browser', asset: 'wasm', auto: true },
  { device: 'tensorrt', platform: 'node', asset: 'node', auto: true },
  { device: 'cuda', platform: 'node', asset: 'node', auto: true },
  { device: 'dml', platform: 'node', asset: 'node', auto: true },
  { device: 'coreml', platform: 'node', asset: 'node', auto: true },
  { device: 'webgpu', platform: 'node', asset: 'node', auto: false },
  { device: 'cpu', platform: 'node', asset: 'node', auto: true },
] as const

export type Device = (typeof devices)[number]['device']

/** `'auto'`, one device (strict), or an ordered list (fallback). */
export type DeviceRequest = 'auto' | Device | readonly Device[]

/** What a platform found about itself, before anything is downloaded. */
export interface Probe {
  readonly platform: 'browser' | 'node'
  /** A device that is not listed is there as far as one can tell. */
  readonly devices: { readonly [D in Device]?: Finding | undefined }
  /** The browser can suspend WebAssembly, so the smaller runtime file does. */
  readonly jspi: boolean
  /** WebGPU computes in float16. */
  readonly shaderF16: boolean
  readonly threads: { readonly wanted: number; readonly max: number; readonly reason: string } | undefined
}

/** `software`: slower than the CPU it runs on. `absent`: can't be used. `foreign`: not made for this system at all. */
export interface Finding {
  readonly state: 'ready' | 'software' | 'absent' | 'foreign'
  readonly reason: string
}

/** One way to try. */
export interface Candidate {
  readonly device: Device
  readonly asset: string
}

export interface Choice {
  readonly candidates: readonly Candidate[]
  /** Devices passed over, with the reason. */
  readonly skipped: readonly Attempt[]
}

/**
 * Which devices to try, in order: a pure function of what was found and what was asked.
 *
 * @throws InferenceError INVALID_INPUT for a name that is no device here
 */
export function choose(probe: Probe, request: DeviceRequest): Choice {
  const here = devices.filter((row) => row.platform === probe.platform)
  const auto = request === 'auto'
  const wanted = auto ? here.filter((row) => row.auto).map((row) => row.device) : [request].flat()
  if (wanted.length === 0) throw unknown(request, here)
  const candidates: Candidate[] = []
  const skipped: Attempt[] = []
  for (const device of wanted) {
    const row = here.find((candidate) => candidate.device === device)
    if (row === undefined) throw unknown(device, here)
    const finding = probe.devices[device] ?? { state: 'ready', reason: '' }
    if (auto && finding.state === 'foreign') continue
    if (finding.state !== 'ready' && (auto || finding.state !== 'software')) {
      skipped.push(skip(device, finding.reason))
      continue
    }
    candidates.push({ device, asset: row.asset === 'webgpu' && probe.jspi ? 'jspi' : row.asset })
  }
  return { candidates, skipped }
}

function skip(device: string, reason: string): Attempt {
  return { target: device, device, outcome: 'skipped', code: 'DEVICE_UNAVAILABLE', reason, durationMs: 0 }
}

function unknown(
  request: unknown,
  here: readonly { readonly device: string; readonly platform: string }[],
): InferenceError {
  const names = here.map((row) => row.device).join(', ')
  const elsewhere = devices.find((row) => row.device === request)
  const problem =
    elsewhere === undefined
      ? `There is no device ${JSON.stringify(request)}`
      : `Device ${JSON.stringify(request)} is for ${elsewhere.platform === 'node' ? 'Node' : 'browsers'}`
  return new InferenceError(
    'INVALID_INPUT',
    `${problem}; use 'auto' or, in order of preference, any of: ${names}.`,
    {
      data: { path: 'device', devices: here.map((row) => row.device) },
    },
  )
}
