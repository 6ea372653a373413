import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tandem as plugin } from '@tandem/sdk/vite'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assembleModels } from '../demo/scripts/models.mjs'
import { launch, openPage } from './harness/chromium.js'
import { buildAndServe } from './harness/pages.js'
import { type Running, tandem } from './harness/processes.js'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

let folder: string
let models: string
let examples: Map<string, string>
let collector: Running
let server: Running

beforeAll(async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const blocks = readme.matchAll(/<!-- test: (\w+) -->\n```\w+\n([\s\S]*?)```/g)
  examples = new Map(Array.from(blocks, ([, name = '', code = '']) => [name, code]))
  // Inside the repository, so that the examples find the packages as a user's code does.
  await mkdir(join(root, '.tandem'), { recursive: true })
  folder = await mkdtemp(join(root, '.tandem/readme-'))
  models = await assembleModels()
  await mkdir(join(folder, 'models'))
  await cp(join(models, 'silero_vad/1/model.onnx'), join(folder, 'models/silero_vad.onnx'))
  collector = await tandem('collect', '--dir', await mkdtemp(join(tmpdir(), 'tandem-readme-')))
  server = await tandem('serve', models, '--collector', collector.url)
})

afterAll(async () => {
  await server?.stop()
  await collector?.stop()
  await rm(folder, { recursive: true, force: true })
})

function example(name: string): string {
  const code = examples.get(name)
  if (code === undefined) throw new Error(`README.md has no example marked "${name}"`)
  return code
}

it('the page example runs in Chromium and arrives in the collector', async () => {
  const code = example('page')
    .replaceAll('http://127.0.0.1:4318', collector.url)
    .replaceAll('http://127.0.0.1:8000', server.url)
  const app = join(folder, 'page')
  await mkdir(app)
  await writeFile(
    join(app, 'index.html'),
    '<!doctype html><link rel="icon" href="data:," /><script type="module" src="./main.ts"></script>',
  )
  await writeFile(join(app, 'main.ts'), `${code}\nObject.assign(window, { scores, t })\n`)
  await using served = await buildAndServe(new URL(`file://${app}/`), { config: { plugins: [plugin()] } })
  await mkdir(join(served.folder, 'models'))
  await cp(join(models, 'blazeface/1/model.onnx'), join(served.folder, 'models/blazeface.onnx'))
  const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#789' } })
    .jpeg()
    .toBuffer()
  await using browser = await launch()
  const { page, problems } = await openPage(browser, served.url)
  await page.waitForFunction('window.scores !== undefined')
  const count = await page.evaluate(
    `scores(new Blob([new Uint8Array(${JSON.stringify([...picture])})])).then(async (data) => (await t.flush(), data.length))`,
  )
  expect(count).toBeGreaterThan(0)
  expect(problems).toEqual([])
  expect(await summary()).toContain('shop-web')
})

it('the Node example runs and prints a probability', async () => {
  await writeFile(join(folder, 'example.ts'), example('node'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const flags =
    '--target es2022 --module nodenext --lib es2023,esnext.disposable --types node --strict --skipLibCheck --ignoreConfig'
  await exec(process.execPath, [compiler, 'example.ts', ...flags.split(' ')], { cwd: folder })
  const { stdout, stderr } = await exec(process.execPath, ['example.js'], { cwd: folder })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^cpu \[/)
  expect(Number(/^(0\.\d+(?:e-\d+)?) \{/m.exec(stdout)?.[1])).toBeLessThan(0.1)
})

it('the serve example serves a folder of models', async () => {
  const [, ...args] = words(example('serve'))
  await using running = await tandem(
    ...args.slice(0, 1).concat(models),
    ...withoutPort(args.slice(2), collector.url),
  )
  expect((await fetch(`${running.url}/v2/health/ready`)).status).toBe(200)
})

it('the collect example answers its summary', async () => {
  const [first = '', second = ''] = example('collect').split('\n')
  const [, ...args] = words(first)
  await using running = await tandem(
    ...withoutPort(args, '').map((word) => (word === 'telemetry' ? join(folder, 'telemetry') : word)),
  )
  const path = /4318(\/[^']*)'/.exec(second)?.[1]
  const response = await fetch(`${running.url}${path}`)
  expect(await response.json()).toEqual(expect.objectContaining({ rows: [] }))
})

function words(line: string): string[] {
  return line.trim().split(/\s+/)
}

/** The harness asks for a free port instead of the one in the text. */
function withoutPort(args: readonly string[], collectorUrl: string): string[] {
  const index = args.indexOf('--port')
  return args
    .filter((_, at) => at !== index && at !== index + 1)
    .map((word) => (word.endsWith(':4318') ? collectorUrl : word))
}

async function summary(): Promise<string> {
  return (await fetch(`${collector.url}/v1/summary?stage=total`)).text()
}
