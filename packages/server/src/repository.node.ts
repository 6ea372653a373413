import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { InferenceError, type LoadOptions, load } from '@tandem/sdk'
import { type ModelConfig, parseConfig } from './config.js'
import type { ServedModel } from './models.js'

export interface RepositoryOptions {
  /** Where models run whose `config.json` does not say. `'auto'` by default. */
  readonly device?: string | readonly string[] | undefined
}

/**
 * The models of a folder: `NAME/VERSION/model.onnx` with an optional `NAME/config.json`, as Triton lays them out, or loose
 * `NAME.onnx` files (version 1). What can't be served is listed too, and says why when it is loaded. Names in messages are relative
 * to the folder.
 * @throws InferenceError MODEL_NOT_FOUND if there is no such folder, or no model in it
 */
export async function repository(
  dir: string,
  options: RepositoryOptions = {},
): Promise<readonly ServedModel[]> {
  const root = resolve(dir)
  const names = await entriesOf(root, dir)
  const folders = await Promise.all(names.map((name) => folderModels(root, name, options)))
  const foldersFound = folders.flat()
  const taken = new Set(foldersFound.map(({ name }) => name))
  const files = names.filter((name) => name.endsWith('.onnx'))
  const loose = await Promise.all(files.map((file) => looseModel(root, file, taken, options)))
  const models = [...foldersFound, ...loose.flat()]
  if (models.length > 0) return models
  throw new InferenceError(
    'MODEL_NOT_FOUND',
    `there is no model in ${dir}: put NAME.onnx or NAME/1/model.onnx into it`,
  )
}

async function entriesOf(root: string, dir: string): Promise<string[]> {
  try {
    return (await readdir(root)).filter((name) => !name.startsWith('.')).sort()
  } catch (error) {
    const code = codeOf(error)
    const problem =
      code === 'ENOENT' ? 'there is no folder' : code === 'ENOTDIR' ? 'not a folder:' : `can't read (${code})`
    throw new InferenceError('MODEL_NOT_FOUND', `${problem} ${dir}: give the folder that holds the models`, {
      cause: error,
    })
  }
}

async function folderModels(root: string, name: string, options: RepositoryOptions): Promise<ServedModel[]> {
  const folder = join(root, name)
  if (!(await isFolder(folder))) return []
  const inside = await readdir(folder).catch((error: unknown) => codeOf(error))
  // One folder that can't be read leaves out itself, not the others.
  if (typeof inside === 'string') return [leftOut(name, '1', `${name} can't be read (${inside})`)]
  // As in Triton: whole numbers without a leading zero.
  const versions = inside.filter((entry) => /^[1-9]\d*$/.test(entry))
  if (versions.length === 0) {
    const isMeant = inside.some((entry) => entry === 'config.json' || entry.endsWith('.onnx'))
    return isMeant
      ? [leftOut(name, '1', `${name} holds no version: put the model at ${name}/1/model.onnx`)]
      : []
  }
  let config: ModelConfig = {}
  if (inside.includes('config.json')) {
    try {
      config = parseConfig(await readFile(join(folder, 'config.json'), 'utf8'))
    } catch (error) {
      // The system's own message holds the whole path.
      const reason = InferenceError.is(error) ? error.message : `config.json can't be read (${codeOf(error)})`
      return versions.map((version) => leftOut(name, version, `${name}/${reason}`))
    }
  }
  return versions.map((version) =>
    model(root, name, version, join(folder, version, 'model.onnx'), { ...options, ...config }),
  )
}

async function looseModel(
  root: string,
  file: string,
  taken: ReadonlySet<string>,
  options: RepositoryOptions,
): Promise<ServedModel[]> {
  const path = join(root, file)
  const name = file.slice(0, -'.onnx'.length)
  if (name === '' || (await isFolder(path))) return []
  if (taken.has(name))
    return [leftOut(name, '1', `${file} has the name of the folder ${name}, which is served instead`)]
  return [model(root, name, '1', path, options)]
}

function model(root: string, name: string, version: string, path: string, config: ModelConfig): ServedModel {
  return {
    name,
    version,
    async load({ signal }) {
      const { maxQueueSize: maxQueue, threads, device = 'auto' } = config
      try {
        // load() knows the devices, and says so to a name that is none.
        return await load(path, { name, signal, maxQueue, threads, device: device as LoadOptions['device'] })
      } catch (error) {
        throw InferenceError.is(error) ? relativeTo(root, path, error) : error
      }
    },
  }
}

/** Clients and logs are told which file, not where on this machine. */
function relativeTo(root: string, path: string, error: InferenceError): InferenceError {
  const file = relative(root, path)
  const text = error.message.replaceAll(path, file).replaceAll(root, '.')
  const message = text.includes(file) ? text : `${file}: ${text}`
  return new InferenceError(error.code, message, { cause: error })
}

/** What stays out, with the reason. */
function leftOut(name: string, version: string, reason: string): ServedModel {
  return { name, version, load: () => Promise.reject(new InferenceError('INVALID_INPUT', reason)) }
}

/** `EACCES`, `EISDIR` … */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
