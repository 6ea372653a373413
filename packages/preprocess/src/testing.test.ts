import { expect, test } from 'vitest'
import { testOp } from './testing.js'

const input = { width: 2, height: 1, data: Uint8Array.of(1, 2, 3, 4, 5, 6) }
const crop = { op: 'crop', width: 2, height: 1 } as const

const failures = async (output: {
  width: number
  height: number
  data: Uint8Array | string
}): Promise<string[]> => {
  const runs = testOp('crop', [{ name: 'golden', input, step: crop, output }]).map(({ run }) => run())
  const settled = await Promise.allSettled(runs)
  return settled.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
}

test('the suite passes what is right, and fails a wrong byte, size and digest', async () => {
  expect(await failures({ width: 2, height: 1, data: input.data })).toEqual([])
  expect(await failures({ width: 2, height: 1, data: Uint8Array.of(1, 2, 3, 4, 5, 7) })).toHaveLength(2)
  expect(await failures({ width: 1, height: 2, data: input.data })).toHaveLength(2)
  expect(await failures({ width: 2, height: 1, data: '00' })).toHaveLength(2)
})
