/** How one stored sample becomes a number from -1 to 1. */
export interface Reader {
  /** Bytes per sample. */
  readonly bytes: number
  readonly sample: (view: DataView, at: number) => number
}

/** G.711 µ-law: sign, three bits of exponent, four of mantissa, all inverted. */
const muLaw = (code: number): number => {
  const bits = ~code
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84
  return (bits & 0x80 ? -magnitude : magnitude) / 32_768
}

/** G.711 A-law: every other bit inverted. */
const aLaw = (code: number): number => {
  const bits = code ^ 0x55
  const exponent = (bits & 0x70) >> 4
  const mantissa = ((bits & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (bits & 0x80 ? magnitude : -magnitude) / 32_768
}

const pcm = 1
const float = 3

/** By the WAV format's code and its bits per sample. */
export const readers: Readonly<Record<string, Reader | undefined>> = {
  [`${pcm}/8`]: { bytes: 1, sample: (view, at) => (view.getUint8(at) - 128) / 128 },
  [`${pcm}/16`]: { bytes: 2, sample: (view, at) => view.getInt16(at, true) / 32_768 },
  [`${pcm}/24`]: {
    bytes: 3,
    sample: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608,
  },
  [`${pcm}/32`]: { bytes: 4, sample: (view, at) => view.getInt32(at, true) / 2_147_483_648 },
  [`${float}/32`]: { bytes: 4, sample: (view, at) => view.getFloat32(at, true) },
  [`${float}/64`]: { bytes: 8, sample: (view, at) => view.getFloat64(at, true) },
  '6/8': { bytes: 1, sample: (view, at) => aLaw(view.getUint8(at)) },
  '7/8': { bytes: 1, sample: (view, at) => muLaw(view.getUint8(at)) },
}
