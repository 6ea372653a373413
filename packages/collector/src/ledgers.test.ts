import { describe, expect, it } from 'vitest'
import { type Ledgers, ledgers } from './ledgers.js'
import { defaultLimits } from './limits.js'
import { type SampleOptions, sampleBatch } from './testing.js'

const at = (receivedMs: number) => ({ receivedMs, accepted: 1, rejected: 0 })
const add = (book: Ledgers, options: SampleOptions, ms = 0) => book.add(sampleBatch(options), at(ms))

describe('ledgers', () => {
  it('takes the counts of the highest batch, however late another comes', () => {
    const book = ledgers(defaultLimits)
    add(book, { seq: 2, recorded: 30, dropped: { exit: 4 } }, 10)
    add(book, { seq: 0, recorded: 10 }, 20)
    const [row] = book.answer(10).instances
    expect(row).toMatchObject({
      recorded: 30,
      dropped: { exit: 4 },
      batches: 2,
      gaps: 1,
      firstMs: 10,
      lastMs: 20,
    })
  })

  it('counts the spans of a batch as come, not as under way: recorded = delivered + pending + dropped', () => {
    const book = ledgers(defaultLimits)
    const batch = sampleBatch({ recorded: 10, dropped: { exit: 2 } })
    book.add(batch, { receivedMs: 0, accepted: 4, rejected: 1 })
    expect(book.answer(1).instances).toMatchObject([
      { recorded: 10, delivered: 4, pending: 3, dropped: { exit: 2, rejected: 1 } },
    ])
  })

  it('tells what came before from what did not', () => {
    const book = ledgers(defaultLimits)
    add(book, { seq: 1 })
    expect(book.has(sampleBatch({ seq: 1 }))).toBe(true)
    expect(book.has(sampleBatch({ seq: 0 }))).toBe(false)
    expect(book.has(sampleBatch({ seq: 1, instance: '00000000000000b2' }))).toBe(false)
    expect(book.has(sampleBatch({ seq: 1, service: 'other' }))).toBe(false)
  })

  it('adds up the recorders of a service, reason by reason', () => {
    const book = ledgers(defaultLimits)
    add(book, { instance: '00000000000000a1', recorded: 5, dropped: { sampled: 2 } })
    add(book, { instance: '00000000000000b2', recorded: 7, dropped: { sampled: 1, retries: 3 } })
    expect(book.answer(1)).toMatchObject({
      services: [{ service: 'shop-web', instances: 2, recorded: 12, dropped: { sampled: 3, retries: 3 } }],
      instances: [{ instance: '00000000000000b2' }],
    })
  })

  it('adds up a reason that every object already has', () => {
    const book = ledgers(defaultLimits)
    for (const instance of ['00000000000000a1', '00000000000000b2', '00000000000000c3']) {
      const { ledger, ...batch } = sampleBatch({ instance })
      book.add(
        { ...batch, ledger: { ...ledger, dropped: { ...ledger.dropped, ...{ constructor: 2 } } } },
        at(0),
      )
    }
    expect(book.answer(1).services[0]?.dropped).toEqual({ constructor: 6 })
  })

  it('forgets the longest silent recorder, and says so', () => {
    const book = ledgers({ instances: 2 })
    for (const [i, instance] of ['0a', '0b', '0a', '0c'].entries()) add(book, { instance, seq: i })
    expect(book.answer(10).instances.map(({ instance }) => instance)).toEqual(['0c', '0a'])
    expect(book.answer(10).forgotten).toBe(1)
  })
})
