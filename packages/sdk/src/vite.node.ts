import type { Plugin } from 'vite'

/** The files of onnxruntime-web that a page may need: WASM 14 MB, WebGPU through JSPI 17 MB, through asyncify 27 MB. */
export type WebRuntime = 'wasm' | 'jspi' | 'webgpu'

export interface TandemPluginOptions {
  /** Which of them the build emits; all by default. Each page downloads only the one that its device needs. */
  readonly runtimes?: readonly WebRuntime[] | undefined
  /** Cross-origin isolation headers in dev and preview, which threads need. True by default; set them on the real server, too. */
  readonly isolate?: boolean | undefined
}

const all: readonly WebRuntime[] = ['wasm', 'jspi', 'webgpu']
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}
const leftOut = '\0tandem:left-out:'

/**
 * Vite plugin. An app works without it; with it the build emits only the runtime files wanted, dev does not bundle
 * onnxruntime twice, and pages in dev and preview may use threads.
 */
export function tandem({ runtimes = all, isolate = true }: TandemPluginOptions = {}): Plugin {
  const unknown = runtimes.find((runtime) => !all.includes(runtime))
  if (unknown !== undefined) {
    throw new Error(`tandem(): there is no runtime ${JSON.stringify(unknown)}; use ${all.join(', ')}.`)
  }
  const unwanted = all.filter((runtime) => !runtimes.includes(runtime))
  const leaveOut: Plugin = {
    name: 'tandem:left-out',
    enforce: 'pre',
    resolveId(id) {
      const runtime = unwanted.find((name) => id === `onnxruntime-web/${name}`)
      return runtime === undefined ? undefined : leftOut + runtime
    },
    load(id) {
      if (!id.startsWith(leftOut)) return undefined
      const problem = `onnxruntime-web/${id.slice(leftOut.length)} was left out by tandem({ runtimes }) in the Vite config`
      // The names that are imported, so that bundlers don't warn.
      return `throw new Error(${JSON.stringify(problem)})\nexport const InferenceSession = 0, Tensor = 0, env = 0\n`
    },
  }
  return {
    ...leaveOut,
    name: 'tandem',
    config() {
      const headers = isolate ? isolation : {}
      return {
        // Their workers and .wasm files are found beside their own scripts, which pre-bundling would move.
        optimizeDeps: { exclude: ['@tandem/sdk', '@tandem/preprocess', 'onnxruntime-web'] },
        worker: { format: 'es', plugins: () => [leaveOut] },
        define: { __TANDEM_RUNTIMES__: JSON.stringify(runtimes) },
        server: { headers },
        preview: { headers },
      }
    },
  }
}
