import { load, tensor } from '@tandem/sdk'
import { identity, memorySession, type OpenSession, sessionCases } from '@tandem/sdk/testing'
import { describe, expect, it } from 'vitest'

// Against the built package, since a realm is a worker and workers take no TypeScript.
const places: readonly (readonly [string, OpenSession, Parameters<typeof sessionCases>[0]])[] = [
  ['a realm on the CPU', (model, options) => load(model.bytes, { name: model.name, ...options }), {}],
  [
    'inline on the CPU',
    (model, options) => load(model.bytes, { name: model.name, host: 'inline', ...options }),
    { moves: false, blocks: true },
  ],
  ['in memory', async (model, options) => memorySession(model, options), { moves: false }],
]

for (const [place, open, options] of places) {
  describe(place, () => {
    for (const { name, run } of sessionCases(options)) it(name, () => run(open), 60_000)
  })
}

describe("Node's Buffer", () => {
  it.each(['worker', 'inline'] as const)(
    'is a uint8 like any other, small or large, copied or moved (%s)',
    async (host) => {
      await using session = await load(identity('uint8').bytes, { host })
      for (const length of [5, 100_000]) {
        for (const transfer of [false, true]) {
          const data = Buffer.from(Array.from({ length }, (_, index) => index & 255))
          const before = Uint8Array.from(data)
          const { outputs } = await session.run({ x: tensor('uint8', data) }, { transfer })
          expect(outputs.y).toEqual({ dtype: 'uint8', shape: [length], data: before })
        }
      }
    },
  )

  it('may hold the model, beside others in its pool', async () => {
    await using session = await load(Buffer.from(identity('uint8').bytes))
    expect((await session.run({ x: tensor('uint8', [7]) })).outputs.y?.data[0]).toBe(7)
  })
})

it('both entries export the same names', async () => {
  const [browser, node] = await Promise.all([import('./index.browser.js'), import('./index.node.js')])
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort())
})
