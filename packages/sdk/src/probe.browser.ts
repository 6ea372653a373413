import type { DeviceRequest, Finding, Probe } from './devices.js'

/** Set by the Vite plugin: the runtime files that the build has. */
declare const __TANDEM_RUNTIMES__: readonly string[] | undefined

/** What this browser has, before anything is downloaded. */
export async function probe(request: DeviceRequest): Promise<Probe> {
  const asked = [request].flat()
  const wantsGpu = asked.includes('auto') || asked.includes('webgpu')
  const adapter = wantsGpu ? await findAdapter() : undefined
  return {
    platform: 'browser',
    devices: {
      ...(adapter === undefined ? {} : { webgpu: adapter.finding }),
      ...(isBuilt('wasm') ? {} : { wasm: leftOut }),
      ...('ml' in navigator
        ? {}
        : { webnn: { state: 'absent', reason: 'this browser has no navigator.ml' } as const }),
    },
    jspi: 'Suspending' in WebAssembly && isBuilt('jspi'),
    shaderF16: adapter?.shaderF16 ?? false,
    threads: threads(),
  }
}

function isBuilt(runtime: string): boolean {
  return typeof __TANDEM_RUNTIMES__ === 'undefined' || __TANDEM_RUNTIMES__.includes(runtime)
}

interface Adapter {
  readonly finding: Finding
  readonly shaderF16: boolean
}

const leftOut: Finding = {
  state: 'absent',
  reason: 'its runtime file was left out by tandem({ runtimes }) in the Vite config',
}

async function findAdapter(): Promise<Adapter> {
  if (!isBuilt('jspi') && !isBuilt('webgpu')) return { finding: leftOut, shaderF16: false }
  const absent = (reason: string): Adapter => ({ finding: { state: 'absent', reason }, shaderF16: false })
  if (!('gpu' in navigator) || navigator.gpu === undefined) {
    return absent(
      isSecureContext ? 'this browser has no WebGPU' : 'WebGPU needs a secure context (https or localhost)',
    )
  }
  // Many browsers have navigator.gpu and no adapter behind it.
  const adapter = await navigator.gpu.requestAdapter().catch(() => null)
  if (adapter === null) return absent('navigator.gpu is there but gives no adapter')
  const { vendor, architecture, isFallbackAdapter } = adapter.info
  const name = `${vendor} ${architecture}`.trim() || 'unnamed'
  const software =
    isFallbackAdapter ||
    /swiftshader|llvmpipe|lavapipe|warp|basic render/i.test(`${name} ${adapter.info.description}`)
  const finding: Finding = software
    ? { state: 'software', reason: `the adapter (${name}) is software, which is slower than WASM` }
    : { state: 'ready', reason: `adapter ${name}` }
  return { finding, shaderF16: adapter.features.has('shader-f16') }
}

function threads(): Probe['threads'] {
  const wanted = Math.min(4, Math.ceil((navigator.hardwareConcurrency || 1) / 2))
  if (globalThis.crossOriginIsolated)
    return { wanted, max: Math.max(1, navigator.hardwareConcurrency), reason: 'the machine has no more' }
  const reason =
    'the page is not cross-origin isolated; serve it with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp'
  return { wanted, max: 1, reason }
}
