import { expect, test } from 'vitest'
import { readConfig } from './config.js'

function serving(body: string, status = 200): typeof fetch {
  return async () => new Response(body, { status })
}

test('the query wins over the served file, which wins over the usual ports', async () => {
  const served = serving('{"server":"http://127.0.0.1:9000","collector":"http://127.0.0.1:9001/"}')
  expect(await readConfig('?server=http://other:1', served)).toEqual({
    server: 'http://other:1',
    collector: 'http://127.0.0.1:9001',
  })
})

test.each([
  ['a missing file', serving('', 404)],
  ['a page in its place', serving('<!doctype html>')],
  ['no network', () => Promise.reject(new TypeError('failed'))],
])('%s leaves the usual ports', async (_, fetchFile) => {
  expect(await readConfig('', fetchFile)).toEqual({
    server: 'http://127.0.0.1:8000',
    collector: 'http://127.0.0.1:4318',
  })
})

test('an address that is not http is ignored', async () => {
  expect((await readConfig('?collector=javascript:alert(1)', serving('{}'))).collector).toBe(
    'http://127.0.0.1:4318',
  )
})
