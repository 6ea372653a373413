import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Finding, Probe } from './devices.js'

/** Which execution providers onnxruntime-node was built with, per platform (its README; `listSupportedBackends()` says the same). */
const built: { readonly [platform: string]: readonly string[] } = {
  'linux x64': ['cpu', 'webgpu', 'cuda', 'tensorrt'],
  'linux arm64': ['cpu', 'webgpu'],
  'win32 x64': ['cpu', 'dml', 'webgpu'],
  'win32 arm64': ['cpu', 'dml', 'webgpu'],
  'darwin arm64': ['cpu', 'coreml', 'webgpu'],
}

/** What can be told without loading the native library: that happens in the realm. */
export async function probe(): Promise<Probe> {
  const names = built[`${process.platform} ${process.arch}`] ?? ['cpu']
  const found: { [device: string]: Finding } = {}
  for (const device of ['tensorrt', 'cuda', 'dml', 'coreml', 'webgpu']) {
    if (!names.includes(device)) {
      found[device] = {
        state: 'foreign',
        reason: `onnxruntime-node has no ${device} for ${process.platform} ${process.arch}`,
      }
    }
  }
  for (const device of ['tensorrt', 'cuda']) {
    const file = `libonnxruntime_providers_${device}.so`
    const folder = binFolder()
    if (found[device] === undefined && folder !== undefined && !existsSync(join(folder, file))) {
      found[device] = {
        state: 'absent',
        reason: `${file} is not installed; npm rebuild onnxruntime-node --onnxruntime-node-install=cuda12 fetches it`,
      }
    }
  }
  return { platform: 'node', devices: found, jspi: false, shaderF16: true, threads: undefined }
}

function binFolder(): string | undefined {
  try {
    const main = createRequire(import.meta.url).resolve('onnxruntime-node')
    return join(dirname(main), '..', 'bin', 'napi-v6', process.platform, process.arch)
  } catch {
    // Not installed: creating the session will say so, with the command.
    return undefined
  }
}
