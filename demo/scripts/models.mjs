// The demo's models as a repository folder for `tandem serve`: <folder>/<name>/1/model.onnx.
import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/** Each model's name, and where its file lies: vendored here, or in the package that ships it. */
export const modelFiles = {
  blazeface: fileURLToPath(new URL('../models/blazeface/1/model.onnx', import.meta.url)),
  silero_vad: require.resolve('@ricky0123/vad-web/dist/silero_vad_v5.onnx'),
}

/**
 * Lays the models out as Triton does, in `.tandem/models` unless told otherwise.
 *
 * @param {string} [folder]
 * @returns {Promise<string>} the folder
 */
export async function assembleModels(
  folder = fileURLToPath(new URL('../../.tandem/models', import.meta.url)),
) {
  for (const [name, file] of Object.entries(modelFiles)) {
    const target = join(folder, name, '1', 'model.onnx')
    await mkdir(dirname(target), { recursive: true })
    await copyFile(file, target)
  }
  return folder
}

if (argv[1] === fileURLToPath(import.meta.url)) console.log(await assembleModels(argv[2]))
