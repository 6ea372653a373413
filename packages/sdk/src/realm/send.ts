import { smallBytes } from './pack.js'
import type { Answer, Ran, WireTensor } from './protocol.js'

/** A run's answer, ready to leave the realm: large outputs are moved out, small ones cloned. */
export function toSend(answer: Answer<Ran>): {
  readonly answer: Answer<Ran>
  readonly transfer: ArrayBuffer[]
} {
  if (answer.value === undefined) return { answer, transfer: [] }
  const moves = new Set<ArrayBuffer>(answer.value.borrowed)
  const outputs = answer.value.outputs.map((output): WireTensor => {
    const { data } = output
    if (!('buffer' in data)) return output
    // Cloning or moving a view takes its whole buffer along, so a partial view is cut out first.
    const whole = data.byteLength === data.buffer.byteLength && data.buffer instanceof ArrayBuffer
    const own = whole ? data : data.slice()
    if (own.byteLength >= smallBytes) moves.add(own.buffer as ArrayBuffer)
    return { ...output, data: own }
  })
  return { answer: { value: { ...answer.value, outputs } }, transfer: [...moves] }
}
