import { expect, test } from 'vitest'
import { batcher } from './batcher.js'

test('items go out together when a tenth of a second has passed, in order, each once', () => {
  let now = 0
  const batches: (readonly number[])[] = []
  const batch = batcher<number>(
    (items) => batches.push(items),
    () => now,
  )
  expect(batch.add(1)).toBe(false)
  now = 99
  expect(batch.add(2)).toBe(false)
  now = 100
  expect(batch.add(3)).toBe(true)
  now = 150
  expect(batch.add(4)).toBe(false)
  batch.flush()
  batch.flush()
  expect(batches).toEqual([[1, 2, 3], [4]])
})
