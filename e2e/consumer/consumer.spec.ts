import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { identity } from '@tandem/sdk/testing'
import { tandem } from '@tandem/sdk/vite'
import { build, type PluginOption } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, openPage } from '../harness/chromium.js'
import { serveFolder } from '../harness/pages.js'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = ['telemetry', 'sdk', 'preprocess'] as const
/** What has no business in a page. */
const nodeOnly = /onnxruntime-node|node:[a-z_]+|worker_threads|require\("sharp"\)|from"sharp"/g

const matches = (code: string): string[] => Array.from(code.matchAll(nodeOnly), ([match]) => match)

let folder: string
/** What onnxruntime-web's own files ask of Node at run time, and never in a page. */
let theirs: Set<string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-consumer-'))
  const packed = await Promise.all(
    packages.map(async (name) => {
      const { stdout } = await exec('npm', ['pack', '--json', '--pack-destination', folder], {
        cwd: join(root, 'packages', name),
      })
      return (JSON.parse(stdout) as [{ filename: string }])[0].filename
    }),
  )
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  )
  const tarballs = packed.map((name) => `./${name}`)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await exec('npm', ['install', ...flags, ...tarballs, 'onnxruntime-web@1.30.0', '@types/node@20.19.43'], {
    cwd: folder,
  })
  const runtime = join(folder, 'node_modules/onnxruntime-web/dist')
  const files = (await readdir(runtime)).filter((file) => /\.min\.mjs$/.test(file))
  theirs = new Set(
    (await Promise.all(files.map((file) => readFile(join(runtime, file), 'utf8')))).flatMap(matches),
  )
  await cp(new URL('app', import.meta.url), join(folder, 'app'), { recursive: true })
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe.each([
  ['without a plugin', []],
  ['with the plugin', [tandem()]],
] as [string, PluginOption[]][])("a consumer's Vite build of the packed tarballs, %s", (name, plugins) => {
  it('contains no Node code, runs, and asks no other host for anything', async () => {
    const outDir = join(folder, `dist ${name}`)
    await build({
      configFile: false,
      root: join(folder, 'app'),
      logLevel: 'warn',
      plugins,
      build: { outDir, target: 'es2022' },
    })
    for (const file of await readdir(outDir, { recursive: true })) {
      if (!/\.m?js$/.test(file)) continue
      const found = matches(await readFile(join(outDir, file), 'utf8'))
      expect(
        found.filter((match) => !theirs.has(match)),
        file,
      ).toEqual([])
    }
    await using served = await serveFolder(outDir)
    await using browser = await launch()
    const { page, problems, requests } = await openPage(browser, served.url)
    const model = [...identity('float32').bytes]
    const result = await page.evaluate((bytes) => window.run(new Uint8Array(bytes)), model)
    expect(result).toEqual({ values: new Array(48).fill(1), device: 'wasm', spans: 4 })
    expect(requests.filter((url) => !url.startsWith(served.url) && !/^(data|blob):/.test(url))).toEqual([])
    expect(problems).toEqual([])
  })
})

it('a page that only preprocesses gets no runtime of onnxruntime', async () => {
  const app = join(folder, 'preprocess')
  await cp(new URL('app/index.html', import.meta.url), join(app, 'index.html'))
  await writeFile(
    join(app, 'main.ts'),
    "import { preprocessor } from '@tandem/preprocess'\nObject.assign(window, { pre: preprocessor() })\n",
  )
  const outDir = join(app, 'dist')
  await build({ configFile: false, root: app, logLevel: 'warn', build: { outDir, target: 'es2022' } })
  const files = (await readdir(outDir, { recursive: true })).map(String)
  expect(files.filter((file) => /wasm|jspi|webgpu/.test(file))).toEqual([])
  expect(files.some((file) => /worker/.test(file))).toBe(true)
})

it.each([
  ['a page', '--lib es2023,dom --module esnext --moduleResolution bundler'],
  ['a page, nodenext', '--lib es2023,dom --module nodenext'],
  ['Node', '--lib es2023 --types node --module nodenext'],
  ['Node, bundled', '--lib es2023 --types node --module esnext --moduleResolution bundler'],
])('the types hold in a strict project of %s that checks its libraries', async (_, flags) => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const given = `app/types.ts --ignoreConfig --noEmit --strict --target es2022 ${flags}`.split(' ')
  const { stdout } = await exec(process.execPath, [compiler, ...given], { cwd: folder }).catch(
    (error) => error,
  )
  expect(stdout).toBe('')
})

describe('importing for server-side rendering', () => {
  it.each(packages)('@tandem/%s does nothing, by either entry', async (name) => {
    const browserEntry = join(folder, 'node_modules/@tandem', name, 'dist/index.browser.js')
    for (const specifier of [`@tandem/${name}`, browserEntry]) {
      const script = `
        const before = new Set(Reflect.ownKeys(globalThis))
        const names = Object.keys(await import(${JSON.stringify(specifier)}))
        await new Promise((resolve) => setImmediate(resolve))
        const added = Reflect.ownKeys(globalThis).filter((key) => !before.has(key)).map(String)
        console.log(JSON.stringify({ names, added, resources: process.getActiveResourcesInfo().filter((kind) => !/Pipe|TTY|FS/.test(kind)) }))`
      const { stdout, stderr } = await exec(process.execPath, ['--input-type=module', '-e', script], {
        cwd: folder,
      })
      const { names, added, resources } = JSON.parse(stdout)
      expect(names.length).toBeGreaterThan(0)
      expect({ added, resources, stderr }).toEqual({ added: [], resources: [], stderr: '' })
    }
  })

  it.each(packages)('@tandem/%s exports the same names to browsers and to Node', async (name) => {
    const names = async (platform: string): Promise<string[]> => {
      const entry = join(folder, 'node_modules/@tandem', name, `dist/index.${platform}.js`)
      return Object.keys(await import(/* @vite-ignore */ entry)).sort()
    }
    expect(await names('browser')).toEqual(await names('node'))
  })
})
