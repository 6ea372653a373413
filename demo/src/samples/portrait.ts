import { type Colour, ellipse, hill, mix, type Pixels, paint, scale, smooth } from './pixels.js'

const skin: Colour = [0.88, 0.66, 0.53]
const hair: Colour = [0.2, 0.13, 0.09]
const lips: Colour = [0.72, 0.36, 0.33]
const shirt: Colour = [0.23, 0.32, 0.45]
const white: Colour = [0.93, 0.91, 0.89]
const iris: Colour = [0.3, 0.22, 0.13]

/** From the upper left, a little in front. */
const light = [-0.42, -0.48, 0.77] as const

/** The head as a relief: an egg with a nose, sockets, cheeks, lips and a chin. */
function relief(x: number, y: number): number {
  const egg = Math.sqrt(Math.max(0, 1 - ellipse(x, y, 0, -0.06, 0.5, 0.66) ** 2)) * 0.5
  const side = Math.abs(x)
  const sockets = -0.05 * hill(side, y, 0.19, -0.13, 0.11, 0.075)
  const brows = 0.03 * hill(side, y, 0.17, -0.245, 0.15, 0.05)
  const bridge = 0.055 * hill(x, y, 0, -0.03, 0.05, 0.2)
  const tip = 0.085 * hill(x, y, 0, 0.12, 0.065, 0.07)
  const wings = 0.035 * hill(side, y, 0.075, 0.135, 0.035, 0.035)
  const cheeks = 0.03 * hill(side, y, 0.25, 0.1, 0.13, 0.12)
  const mouth = 0.03 * hill(x, y, 0, 0.315, 0.14, 0.06) - 0.02 * hill(x, y, 0, 0.31, 0.15, 0.012)
  const chin = 0.035 * hill(x, y, 0, 0.48, 0.11, 0.07) - 0.03 * hill(x, y, 0, 0.4, 0.12, 0.03)
  return egg + sockets + brows + bridge + tip + wings + cheeks + mouth + chin
}

/** How much light falls on the head at a point: 0 … about 1.1. */
function shade(x: number, y: number): number {
  const step = 0.004
  const dx = (relief(x + step, y) - relief(x - step, y)) / (2 * step)
  const dy = (relief(x, y + step) - relief(x, y - step)) / (2 * step)
  const length = Math.hypot(dx, dy, 1)
  const lambert = Math.max(0, (-dx * light[0] - dy * light[1] + light[2]) / length)
  return 0.34 + 0.78 * lambert
}

function eyes(x: number, y: number, under: Colour): Colour {
  const side = Math.abs(x)
  // An almond between two arcs: the upper lid bends more than the lower.
  const upper = -0.165 + 2.6 * (side - 0.19) ** 2
  const lower = -0.098 - 1.4 * (side - 0.19) ** 2
  const open = smooth(upper - 0.006, upper + 0.006, y) * smooth(lower + 0.006, lower - 0.006, y)
  const radius = ellipse(side, y, 0.19, -0.133, 0.034, 0.034)
  let ball = scale(white, 0.72 + 0.28 * smooth(upper, upper + 0.05, y))
  ball = mix(ball, iris, smooth(1.12, 0.92, radius))
  ball = mix(ball, [0.03, 0.02, 0.02], smooth(0.56, 0.42, radius))
  ball = mix(ball, [1, 1, 1], smooth(1, 0.5, ellipse(x, y, x < 0 ? -0.2 : 0.18, -0.145, 0.011, 0.011)))
  const lash = hill(side, y, side, upper - 0.004, 1, 0.011) * smooth(0.095, 0.08, Math.abs(side - 0.19))
  const crease =
    0.35 * hill(side, y, side, upper - 0.035, 1, 0.009) * smooth(0.1, 0.06, Math.abs(side - 0.19))
  return mix(mix(mix(under, ball, open), hair, 0.9 * lash), hair, crease)
}

function brows(x: number, y: number, under: Colour): Colour {
  const side = Math.abs(x)
  const arc = -0.262 + 1.5 * (side - 0.2) ** 2 - 0.06 * (side - 0.2)
  const thickness = 0.024 - 0.05 * Math.max(0, side - 0.2)
  const along = smooth(0.065, 0.095, side) * smooth(0.325, 0.27, side)
  return mix(under, hair, 0.85 * along * smooth(thickness, thickness * 0.3, Math.abs(y - arc)))
}

function mouth(x: number, y: number, under: Colour): Colour {
  const side = Math.abs(x)
  const top = 0.284 - 0.2 * side ** 2 + 0.012 * hill(x, 0, 0, 0, 0.03, 1)
  const bottom = 0.368 - 3.6 * side ** 2
  const inside = smooth(top - 0.008, top + 0.008, y) * smooth(bottom + 0.01, bottom - 0.01, y)
  const seam = hill(0, y, 0, 0.318 - 1.1 * side ** 2, 1, 0.006) * smooth(0.18, 0.14, side)
  return mix(mix(under, scale(lips, 0.6 + 0.45 * shade(x, y)), 0.85 * inside), [0.3, 0.12, 0.11], 0.85 * seam)
}

function nose(x: number, y: number, under: Colour): Colour {
  const nostrils = hill(Math.abs(x), y, 0.042, 0.163, 0.018, 0.011)
  const shadow = 0.35 * hill(x, y, 0.02, 0.185, 0.08, 0.018)
  return mix(mix(under, scale(skin, 0.45), shadow), [0.22, 0.1, 0.08], 0.8 * nostrils)
}

function colourAt(x: number, y: number): Colour {
  const wall = mix([0.71, 0.74, 0.75], [0.5, 0.55, 0.58], smooth(-1.2, 1.3, y + 0.5 * x))
  // Behind the face: hair, neck, shoulders.
  let colour = mix(
    wall,
    scale(hair, 0.9 + 0.5 * smooth(0.4, -0.6, x)),
    smooth(1.03, 0.97, ellipse(x, y, 0, -0.22, 0.57, 0.66)),
  )
  const throat = 0.3 + 0.25 * smooth(0.62, 1, y) ** 2
  const round = Math.sqrt(Math.max(0, 1 - (x / throat) ** 2))
  const neck = smooth(throat, throat - 0.015, Math.abs(x)) * smooth(0.2, 0.3, y)
  const chinShadow = 0.34 * hill(x, y, 0.05, 0.58, 0.34, 0.14)
  colour = mix(colour, scale(skin, 0.45 + 0.35 * round - 0.25 * x - chinShadow), neck)
  const shoulders = 0.78 + 0.24 * x ** 2 + 0.13 * hill(x, 0, 0, 0, 0.3, 1)
  const cloth = scale(
    shirt,
    1.05 - 0.35 * x + 0.08 * Math.sin(9 * x + 4 * y) - 0.25 * hill(0, y, 0, shoulders, 1, 0.05),
  )
  colour = mix(colour, cloth, smooth(shoulders - 0.01, shoulders + 0.01, y))
  const ears = ellipse(Math.abs(x), y, 0.49, -0.02, 0.055, 0.12)
  colour = mix(colour, scale(skin, 0.72 + 0.15 * smooth(0.4, -0.4, x)), smooth(1.05, 0.95, ears))

  // Narrower towards the chin.
  const jaw = 0.5 - 0.06 * smooth(0, 0.6, y) + 0.05 * smooth(0.3, 0.5, y)
  const head = ellipse(x, y, 0, -0.06, jaw, 0.66)
  let face = scale(skin, shade(x * (0.5 / jaw), y))
  face = mix(face, [0.86, 0.47, 0.4], 0.22 * hill(Math.abs(x), y, 0.27, 0.12, 0.12, 0.1))
  face = mouth(x, y, nose(x, y, brows(x, y, eyes(x, y, face))))
  colour = mix(colour, face, smooth(1.015, 0.985, head))

  // The hairline, parted on one side.
  const line = -0.5 + 0.9 * (x - 0.1) ** 2 + 0.012 * Math.sin(46 * x) + 0.008 * Math.sin(97 * x)
  const fringe = smooth(line + 0.03, line - 0.03, y) * smooth(1.06, 1, ellipse(x, y, 0, -0.22, 0.55, 0.64))
  const strand =
    0.85 +
    0.12 * Math.sin(90 * x + 30 * y + 3 * Math.sin(7 * y)) +
    0.08 * Math.sin(211 * x + 40 * y) +
    0.5 * hill(x, y, -0.2, -0.66, 0.2, 0.08)
  return mix(colour, scale(hair, strand + 0.35 * smooth(0.4, -0.6, x)), fringe)
}

/** A drawn portrait, from the front, that BlazeFace takes for a face. It is nobody's. */
export function portrait(width = 480, height = 600): Pixels {
  return paint(width, height, (x, y) => colourAt(x * 0.88, y * 0.88 - 0.13))
}
