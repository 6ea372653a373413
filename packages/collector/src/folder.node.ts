import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder that only its owner may enter, and those above it. Node's own recursion never ends in folders like /proc. */
export async function makeFolder(dir: string): Promise<void> {
  const make = (): Promise<void> => mkdir(dir, { mode: 0o700 })
  await make()
    .catch(async (error: unknown) => {
      if (!has(error, 'ENOENT') || dirname(dir) === dir) throw error
      await makeFolder(dirname(dir))
      await make()
    })
    .catch((error: unknown) => {
      if (!has(error, 'EEXIST')) throw error
    })
}

function has(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
