// The samples are drawn by code; these tests hold that the real models see in them what the page says.
import { preprocessor } from '@tandem/preprocess'
import { load, type Session } from '@tandem/sdk'
import { afterAll, expect, test, vi } from 'vitest'
import { modelFiles } from '../../scripts/models.mjs'
import { png } from '../../vite/png.js'
import { wav } from '../../vite/wav.js'
import { faces } from '../model/faces.js'
import { speechSpans } from '../model/silero.js'
import { speech as speechTask } from '../model/speech.js'
import type { Answer, Task } from '../model/task.js'
import { landscape } from './landscape.js'
import { portrait } from './portrait.js'
import { rain } from './rain.js'
import { speech } from './speech.js'

// Drawing and computing share two cores with the rest of the suite.
vi.setConfig({ testTimeout: 60_000 })

const pre = preprocessor()
afterAll(() => pre.dispose())

async function answer(task: Task, file: Buffer): Promise<Answer> {
  const session: Session = await load(modelFiles[task.model], { device: 'cpu' })
  await using _ = session
  const { signal } = new AbortController()
  const pass = await task.pass(session, new Blob([Uint8Array.from(file)]), { pre, signal, onCall: () => {} })
  return pass.answer
}

test('BlazeFace scores the portrait above 0.9, and boxes its face', async () => {
  const found = await answer(faces, png(portrait()))
  if (found.kind !== 'faces') throw new Error(found.kind)
  expect(found.faces).toHaveLength(1)
  const [face] = found.faces
  expect(face?.score).toBeGreaterThan(0.9)
  // The eyes, the nose and the mouth as they were drawn, to 15 pixels of 480 × 600.
  const drawn = [
    [188, 299],
    [292, 299],
    [240, 375],
    [240, 420],
  ] as const
  drawn.forEach(([x, y], i) => {
    expect(Math.abs((face?.points[i]?.x ?? 0) - x), `point ${i} across`).toBeLessThan(15)
    expect(Math.abs((face?.points[i]?.y ?? 0) - y), `point ${i} down`).toBeLessThan(15)
  })
})

test('BlazeFace finds nobody in the mountains', async () => {
  const found = await answer(faces, png(landscape()))
  if (found.kind !== 'faces') throw new Error(found.kind)
  expect(found.faces).toEqual([])
  expect(found.best).toBeLessThan(0.3)
})

test('Silero hears the spoken parts and nothing between them', async () => {
  const sound = speech()
  const heard = await answer(speechTask, wav(sound))
  if (heard.kind !== 'speech') throw new Error(heard.kind)
  const spans = speechSpans(heard.probabilities)
  expect(spans).toHaveLength(sound.spoken.length)
  // The model answers a little late, at both ends.
  spans.forEach(([from, to], i) => {
    const [begin = 0, end = 0] = sound.spoken[i] ?? []
    expect(Math.abs(from - begin)).toBeLessThan(0.2)
    expect(Math.abs(to - end)).toBeLessThan(0.2)
  })
  const at = (seconds: number): number => heard.probabilities[Math.floor(seconds / 0.032)] ?? Number.NaN
  for (const [begin, end] of sound.spoken) expect(at((begin + end) / 2)).toBeGreaterThan(0.6)
  expect(at(0.3)).toBeLessThan(0.1)
  expect(at((sound.spoken[1]?.[0] ?? 0) - 0.1)).toBeLessThan(0.1)
})

test('Silero hears nobody in the rain', async () => {
  const heard = await answer(speechTask, wav(rain()))
  if (heard.kind !== 'speech') throw new Error(heard.kind)
  expect(Math.max(...heard.probabilities)).toBeLessThan(0.1)
})
