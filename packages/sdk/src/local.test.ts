import { load } from '@tandem/sdk'
import { memorySession, type OpenSession, sessionCases } from '@tandem/sdk/testing'
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

it('both entries export the same names', async () => {
  const [browser, node] = await Promise.all([import('./index.browser.js'), import('./index.node.js')])
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort())
})
