import { viewOver } from '../bytes.js'
import type { Header } from './header.js'

export const gif = (bytes: Uint8Array): Header | undefined => {
  if (bytes.length < 10) return undefined
  const view = viewOver(bytes)
  return {
    format: 'GIF',
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    orientation: 1,
    exif: [],
    alpha: true,
  }
}
