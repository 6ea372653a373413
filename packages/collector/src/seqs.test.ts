import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seqs } from './seqs.js'

describe('seqs', () => {
  it('knows exactly what came, in any order, and how many are missing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60), { minLength: 1, maxLength: 80 }), (numbers) => {
        const came = seqs()
        const model = new Set<number>()
        for (const number of numbers) {
          expect(came.has(number)).toBe(model.has(number))
          came.add(number)
          model.add(number)
        }
        const span = Math.max(...model) - Math.min(...model) + 1
        expect(came.gaps()).toBe(span - model.size)
        for (let number = 0; number <= 60; number++) expect(came.has(number)).toBe(model.has(number))
      }),
    )
  })

  it('stays small when a stranger leaves more holes than it keeps, and still counts them', () => {
    const came = seqs()
    for (let number = 0; number < 2000; number += 2) came.add(number)
    expect(came.gaps()).toBe(999)
    expect(came.has(1)).toBe(true)
    expect(came.has(1997)).toBe(false)
  })

  it('takes a leap to the largest number', () => {
    const came = seqs()
    came.add(0)
    came.add(Number.MAX_SAFE_INTEGER)
    expect(came.gaps()).toBe(Number.MAX_SAFE_INTEGER - 1)
    expect(came.has(5)).toBe(false)
  })
})
