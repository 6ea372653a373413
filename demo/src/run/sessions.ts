import { hybrid, load, remote, type Session } from '@tandem/sdk'
import type { Telemetry } from '@tandem/telemetry'
import type { Config } from '../config.js'
import type { Task } from '../model/task.js'
import type { Choice } from '../places.js'

export interface Sessions {
  /** Opens what `choice` means, or gives what is open. A failed opening is tried anew the next time. */
  open(task: Task, choice: Choice): Promise<Session>
  dispose(): Promise<void>
}

/** The page's open sessions, one for each model and choice. */
export function sessions(config: Config, telemetry: Telemetry | undefined): Sessions {
  const open = new Map<string, Promise<Session>>()

  return {
    open(task, choice) {
      const key = `${task.model} ${choice}`
      const known = open.get(key)
      if (known !== undefined) return known
      const opening = make(task, choice, config, telemetry)
      open.set(key, opening)
      opening.catch(() => open.delete(key))
      return opening
    },
    async dispose() {
      const all = [...open.values()]
      open.clear()
      await Promise.allSettled(all.map(async (opening) => (await opening).dispose({ reclaim: true })))
    },
  }
}

/** `load`, `remote` and `hybrid` as a user of Tandem calls them. */
function make(
  task: Task,
  choice: Choice,
  config: Config,
  telemetry: Telemetry | undefined,
): Promise<Session> {
  const name = task.model
  const local = (device: 'auto' | 'webgpu' | 'wasm' = 'auto') => load(task.file, { device, name, telemetry })
  const cloud = () => remote(`${config.server}/v2/models/${name}`, { name, telemetry })
  switch (choice) {
    case 'auto':
    case 'webgpu':
    case 'wasm':
      return local(choice)
    case 'server':
      return cloud()
    case 'only_on_device':
      return hybrid({ mode: choice, local: () => local(), telemetry })
    case 'only_in_cloud':
      return hybrid({ mode: choice, remote: cloud, telemetry })
    default:
      return hybrid({ mode: choice, local: () => local(), remote: cloud, telemetry })
  }
}
