import type { Sound } from '../src/samples/speech.js'

const headerBytes = 44

/** A 16-bit mono WAV. */
export function wav({ sampleRate, samples }: Pick<Sound, 'sampleRate' | 'samples'>): Buffer {
  const file = Buffer.alloc(headerBytes + 2 * samples.length)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(2 * sampleRate, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(2 * samples.length, 40)
  samples.forEach((sample, i) => {
    file.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32767), headerBytes + 2 * i)
  })
  return file
}
