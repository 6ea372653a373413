import { type Colour, grain, hill, mix, type Pixels, paint, scale, smooth } from './pixels.js'

const sky: Colour = [0.42, 0.62, 0.84]
const haze: Colour = [0.93, 0.85, 0.74]

/** Ridges from the farthest to the nearest: base height, roughness, seed, colour. */
const ridges: readonly { base: number; rough: number; seed: number; colour: Colour }[] = [
  { base: -0.12, rough: 0.3, seed: 3, colour: [0.55, 0.63, 0.74] },
  { base: 0.1, rough: 0.24, seed: 11, colour: [0.38, 0.5, 0.56] },
  { base: 0.34, rough: 0.16, seed: 23, colour: [0.25, 0.41, 0.34] },
  { base: 0.62, rough: 0.1, seed: 41, colour: [0.2, 0.33, 0.19] },
]

/** Value noise of four octaves: −1 … 1, one-dimensional. */
function noise(x: number, seed: number): number {
  let sum = 0
  for (let octave = 0, size = 2, weight = 0.55; octave < 4; octave += 1, size *= 2.1, weight *= 0.5) {
    const at = Math.floor(x * size)
    const t = smooth(0, 1, x * size - at)
    sum += weight * (2 * (grain(at, seed + octave) * (1 - t) + grain(at + 1, seed + octave) * t) - 1)
  }
  return sum
}

function colourAt(x: number, y: number): Colour {
  let colour = mix(sky, haze, smooth(-1, 0.15, y))
  colour = mix(colour, [1, 0.95, 0.82], Math.min(1, 1.4 * hill(x, y, 0.62, -0.42, 0.16, 0.16)))
  colour = mix(colour, [1, 1, 1], 0.5 * smooth(0.1, 0.6, noise(x * 0.7 + 4 * y, 77)) * smooth(-0.2, -0.7, y))
  for (const { base, rough, seed, colour: ridge } of ridges) {
    const crest = base - rough * noise(x * 0.8 + seed, seed)
    const lit = 0.9 + 0.5 * noise(x * 3 + y, seed + 7) * 0.4 - 0.25 * smooth(0, 0.5, y - crest)
    colour = mix(colour, scale(ridge, lit), smooth(crest - 0.004, crest + 0.004, y))
  }
  return colour
}

/** Drawn mountains: a picture with nobody in it. */
export function landscape(width = 640, height = 480): Pixels {
  return paint(width, height, colourAt)
}
