import { grain } from './pixels.js'

/** Mono samples in −1 … 1, and which parts of them were meant as speech (seconds, from and to). */
export interface Sound {
  readonly sampleRate: number
  readonly samples: Float32Array<ArrayBuffer>
  readonly spoken: readonly (readonly [number, number])[]
}

/** How loud the voice and the breath are, where the first four formants lie (Hz), how long it lasts (ms). */
type Phone = readonly [
  voice: number,
  breath: number,
  f1: number,
  f2: number,
  f3: number,
  f4: number,
  ms: number,
]

/** Vowels after Peterson and Barney (1952), a male voice; consonants by ear. */
const phones: { readonly [symbol: string]: Phone } = {
  a: [1, 0.02, 730, 1090, 2440, 3500, 150],
  æ: [1, 0.02, 660, 1720, 2410, 3500, 140],
  ɛ: [1, 0.02, 530, 1840, 2480, 3500, 120],
  ə: [0.8, 0.02, 500, 1350, 2450, 3500, 80],
  ʌ: [1, 0.02, 640, 1190, 2390, 3500, 110],
  i: [0.9, 0.02, 270, 2290, 3010, 3600, 130],
  o: [1, 0.02, 490, 910, 2350, 3400, 150],
  u: [0.9, 0.02, 310, 870, 2240, 3300, 130],
  l: [0.6, 0.01, 360, 1050, 2700, 3400, 70],
  r: [0.6, 0.01, 420, 1250, 1600, 3300, 75],
  w: [0.55, 0.01, 300, 650, 2200, 3300, 70],
  m: [0.35, 0, 250, 1000, 2200, 3300, 80],
  n: [0.35, 0, 250, 1500, 2500, 3400, 75],
  d: [0.12, 0.05, 250, 1750, 2600, 3500, 50],
  v: [0.3, 0.06, 260, 1100, 2300, 3500, 65],
  h: [0.05, 0.2, 550, 1500, 2500, 3500, 65],
  s: [0, 0.3, 400, 4600, 5400, 6800, 100],
  t: [0, 0.03, 350, 1800, 2800, 4200, 50],
  ' ': [0, 0, 500, 1500, 2500, 3500, 45],
}

/** Breath groups with silence around each: «hello tandem», «run this model here», «or on a server». */
const groups: readonly string[] = ['hɛlo tændəm', 'rʌn dis madəl hir', 'or an ə sərvər']

const silenceMs = 600
/** Half bandwidths in Hz widen with the formant: Klatt's defaults, rounded. */
const bandwidths = [70, 100, 140, 220] as const
/** Articulators do not jump: every parameter glides with this time constant. */
const glideMs = 16

/** A two-pole resonator with unit gain at 0 Hz (Klatt 1980, eq. 1–2). */
function resonator(sampleRate: number, bandwidth: number): (input: number, frequency: number) => number {
  const c = -Math.exp((-2 * Math.PI * bandwidth) / sampleRate)
  const radius = 2 * Math.exp((-Math.PI * bandwidth) / sampleRate)
  let y1 = 0
  let y2 = 0
  return (input, frequency) => {
    const b = radius * Math.cos((2 * Math.PI * frequency) / sampleRate)
    const y = (1 - b - c) * input + b * y1 + c * y2
    y2 = y1
    y1 = y
    return y
  }
}

/** The glottis' airflow, differentiated: Rosenberg's pulse, open for 60 % of the period. `phase` is 0 … 1. */
function glottis(phase: number): number {
  const opening = 0.42
  const closing = 0.18
  if (phase < opening) return Math.sin((Math.PI * phase) / opening)
  if (phase < opening + closing) return -2.4 * Math.sin((Math.PI / 2) * ((phase - opening) / closing))
  return 0
}

/** The phone that sounds at each sample, `undefined` in silence, and how far its breath group has gone (0 … 1). */
function score(sampleRate: number): { phone: Phone | undefined; progress: number }[] {
  const at = (ms: number): number => Math.round((ms / 1000) * sampleRate)
  const timeline: { phone: Phone | undefined; progress: number }[] = []
  const silence = (): void => {
    for (let left = at(silenceMs); left > 0; left -= 1) timeline.push({ phone: undefined, progress: 0 })
  }
  silence()
  for (const group of groups) {
    const symbols = [...group]
    symbols.forEach((symbol, index) => {
      const phone = phones[symbol]
      if (phone === undefined) throw new Error(`no phone for «${symbol}» in the sample's text`)
      const length = at(phone[6])
      for (let i = 0; i < length; i += 1) {
        timeline.push({ phone, progress: (index + i / length) / symbols.length })
      }
    })
    silence()
  }
  return timeline
}

/** Speech made by a formant synthesiser, not recorded: three short groups of words between silences. */
export function speech(sampleRate = 22_050): Sound {
  const timeline = score(sampleRate)
  const samples = new Float32Array(timeline.length)
  const glide = 1 - Math.exp(-1000 / (glideMs * sampleRate))
  const tract = bandwidths.map((bandwidth) => resonator(sampleRate, bandwidth))
  const now = [0, 0, 500, 1500, 2500, 3500]
  const spoken: [number, number][] = []
  let phase = 0
  let tilt = 0
  let peak = 0
  timeline.forEach(({ phone, progress }, i) => {
    for (let p = 0; p < now.length; p += 1) {
      const current = now[p] ?? 0
      const goal = phone?.[p] ?? (p < 2 ? 0 : current)
      now[p] = current + (goal - current) * glide
    }
    const [voice = 0, breath = 0, ...formants] = now
    const seconds = i / sampleRate
    const wobble = 1 + 0.02 * Math.sin(2 * Math.PI * 5.3 * seconds) + 0.012 * (grain(i >> 8, 5) - 0.5)
    const pitch = (128 - 34 * progress + 14 * Math.sin(Math.PI * 3 * progress)) * wobble
    phase = (phase + pitch / sampleRate) % 1
    const hiss = 2 * grain(i, 9) - 1
    tilt += 0.45 * (voice * glottis(phase) - tilt)
    let wave = tilt + hiss * breath * (voice > 0.3 ? glottis(phase) + 1 : 1)
    tract.forEach((filter, f) => {
      wave = filter(wave, formants[f] ?? 500)
    })
    samples[i] = wave
    peak = Math.max(peak, Math.abs(wave))
    if (phone !== undefined) {
      const last = spoken.at(-1)
      if (last === undefined || seconds - last[1] > 1.5 / sampleRate) spoken.push([seconds, seconds])
      else last[1] = seconds
    }
  })
  // A faint room, so that silence is not digital zero.
  samples.forEach((wave, i) => {
    samples[i] = (0.7 * wave) / peak + 0.0015 * (grain(i, 2) - 0.5)
  })
  return { sampleRate, samples, spoken }
}
