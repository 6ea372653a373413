import { faces } from './faces.js'
import { speech } from './speech.js'
import type { ModelName, Task } from './task.js'

export const tasks: { readonly [M in ModelName]: Task } = { blazeface: faces, silero_vad: speech }
