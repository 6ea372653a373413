import { describe, expect, test } from 'vitest'
import { formatTraceparent, parseTraceparent } from './traceparent.js'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test('a context is written and read back', () => {
  for (const sampled of [true, false]) {
    const context = { traceId, spanId, sampled }
    expect(formatTraceparent(context)).toBe(`00-${traceId}-${spanId}-0${Number(sampled)}`)
    expect(parseTraceparent(formatTraceparent(context))).toEqual(context)
  }
})

describe('reading takes', () => {
  test.each([
    ['other flags beside sampled', `00-${traceId}-${spanId}-03`, true],
    ['a later version', `01-${traceId}-${spanId}-01`, true],
    ['a later version that is longer', `cc-${traceId}-${spanId}-00-what-comes`, false],
    ['blanks around it', ` 00-${traceId}-${spanId}-01 `, true],
  ])('%s', (_, header, sampled) => expect(parseTraceparent(header)).toEqual({ traceId, spanId, sampled }))
})

describe('reading ignores', () => {
  test.each([
    ['nothing', null],
    ['an empty header', ''],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['a longer version 00', `00-${traceId}-${spanId}-01-more`],
    ['a later version that goes on without a dash', `01-${traceId}-${spanId}-01more`],
    ['short ids', `00-${traceId.slice(1)}-${spanId}-01`],
    ['what is no hex', `00-${traceId.replace('4', 'g')}-${spanId}-01`],
  ])('%s', (_, header) => expect(parseTraceparent(header)).toBeUndefined())
})
