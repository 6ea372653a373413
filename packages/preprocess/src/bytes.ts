/** Whether `text` (ASCII) stands at `at`. */
export const says = (bytes: Uint8Array, at: number, text: string): boolean => {
  if (at + text.length > bytes.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

export const viewOver = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
