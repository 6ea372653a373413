import { crc32, deflateSync } from 'node:zlib'
import type { Pixels } from '../src/samples/pixels.js'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** An 8-bit RGB PNG (alpha is dropped), every row with the «up» filter. */
export function png({ width, height, data }: Pixels): Buffer {
  const stride = 3 * width
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1)
    rows[start] = 2
    for (let i = 0; i < stride; i += 1) {
      const at = 4 * Math.floor(i / 3) + (i % 3)
      const above = y === 0 ? 0 : (data[(y - 1) * width * 4 + at] ?? 0)
      rows[start + 1 + i] = (data[y * width * 4 + at] ?? 0) - above
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  frame.set(body, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}
