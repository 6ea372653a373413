import { InferenceError } from '../error.js'

/** How many of a file's first bytes {@link sniff} looks at. */
export const sniffBytes = 512

/** What a server or a checkout hands out in a model's place, and what to do about it. */
const impostors: readonly (readonly [RegExp, string, string])[] = [
  [/^version https:\/\/git-lfs/, 'a git-lfs pointer', "run 'git lfs pull' where the file comes from"],
  [
    /^<(!doctype|html|head|\?xml|!--)/i,
    'an HTML or XML page',
    'development servers answer so for a path they do not know: check the URL',
  ],
  [/^[[{]\s*(["{[\]}]|\d|$)/, 'JSON', 'a message or a manifest: check the URL'],
]

/**
 * Refuses by their first bytes what can't be an ONNX model.
 *
 * @throws InferenceError NOT_A_MODEL with the first characters and a hint
 */
export function sniff(head: Uint8Array, source: string): void {
  if (head.length === 0) throw notAModel(source, 'is empty', 'check that it was written and uploaded whole')
  const text = new TextDecoder()
    .decode(head.subarray(0, sniffBytes))
    .replace(/^\uFEFF/, '')
    .trimStart()
  const impostor = impostors.find(([pattern]) => pattern.test(text))
  if (impostor === undefined) return
  const start = text.slice(0, 60).replace(/\s+/g, ' ')
  throw notAModel(
    source,
    `is ${impostor[1]}, not an ONNX model (it begins ${JSON.stringify(start)})`,
    impostor[2],
    start,
  )
}

function notAModel(source: string, problem: string, fix: string, start?: string): InferenceError {
  return new InferenceError('NOT_A_MODEL', `${source} ${problem}; ${fix}.`, { data: { source, start } })
}
