import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CollectorError } from './error.js'
import type { Entry, Journal } from './journal.js'
import { openJournal } from './journal.node.js'
import { defaultLimits, type Limits } from './limits.js'
import { manualClock } from './testing.js'

const clock = manualClock()
let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tandem-journal-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

async function reopen(limits: Partial<Limits> = {}): Promise<Journal & { entries: Entry[] }> {
  const entries: Entry[] = []
  const journal = await openJournal({
    dir,
    limits: { ...defaultLimits, ...limits },
    clock,
    take: (entry) => entries.push(entry),
  })
  return Object.assign(journal, { entries })
}

const entry = (text: string): Entry => ({ receivedMs: clock.now(), text })
const segments = async () => (await readdir(dir)).sort()

describe('openJournal', { timeout: 60_000 }, () => {
  it('gives everything back after a restart, in order and byte for byte', async () => {
    const texts = [
      '{"a":1}',
      '{"line separators":"\u2028 \u2029"}',
      '{"grüße":"漢字 🙂"}',
      'x'.repeat(300_000),
    ]
    const first = await reopen()
    for (const text of texts) await first.append(entry(text))
    await first.close()
    const second = await reopen()
    expect(second.entries.map(({ text }) => text)).toEqual(texts)
    expect(second.replayed).toEqual({ entries: 4, corrupt: 0, torn: 0 })
    await second.close()
  })

  it('has written an entry by the time it says so', async () => {
    const journal = await reopen()
    await journal.append(entry('{"safe":true}'))
    const [name] = await segments()
    expect(await readFile(join(dir, name ?? ''), 'utf8')).toContain('{"safe":true}')
    await journal.close()
  })

  it('keeps 500 concurrent appends whole', async () => {
    const journal = await reopen()
    const texts = Array.from({ length: 500 }, (_, i) => `{"n":${i}}`)
    await Promise.all(texts.map((text) => journal.append(entry(text))))
    await journal.close()
    expect((await reopen()).entries.map(({ text }) => text)).toEqual(texts)
  })

  it('leaves out a last line that a crash cut off, at every length, and never writes behind it', async () => {
    const journal = await reopen()
    await journal.append(entry('{"n":1}'))
    await journal.append(entry('{"n":2}'))
    await journal.close()
    const [name] = await segments()
    const whole = await readFile(join(dir, name ?? ''))
    const second = whole.indexOf('\n') + 1
    for (const end of [second + 1, second + 9, whole.length - 3, whole.length - 1]) {
      await writeFile(join(dir, name ?? ''), whole.subarray(0, end))
      const after = await reopen()
      expect(after.replayed).toEqual({ entries: 1, corrupt: 0, torn: 1 })
      await after.append(entry('{"n":3}'))
      await after.close()
      const again = await reopen()
      expect(again.entries.map(({ text }) => text)).toEqual(['{"n":1}', '{"n":3}'])
      await again.close()
      await rm(join(dir, '00000002.segment'))
    }
  })

  it('skips a line with one flipped bit, and lines that are none, and counts them', async () => {
    const journal = await reopen()
    for (const n of [1, 2, 3]) await journal.append(entry(`{"n":${n}}`))
    await journal.close()
    const path = join(dir, '00000001.segment')
    const bytes = await readFile(path)
    const at = bytes.indexOf('{"n":2}') + 5
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    await writeFile(path, bytes)
    await appendFile(path, 'rubbish\n\n\u0000\u0000\n')
    const after = await reopen()
    expect(after.entries.map(({ text }) => text)).toEqual(['{"n":1}', '{"n":3}'])
    expect(after.replayed).toEqual({ entries: 2, corrupt: 4, torn: 0 })
  })

  it('begins a new segment at the size limit and deletes the oldest beyond the limit of bytes', async () => {
    const journal = await reopen({ segmentBytes: 100, retainBytes: 500 })
    for (let n = 0; n < 40; n++) await journal.append(entry(`{"n":${n},"fill":"${'x'.repeat(60)}"}`))
    expect(journal.size().bytes).toBeLessThanOrEqual(700)
    expect(journal.size().segments).toBe((await segments()).length)
    await journal.close()
    const kept = (await reopen({ retainBytes: 500 })).entries.map(({ text }) => JSON.parse(text).n)
    expect(kept.at(-1)).toBe(39)
    expect(kept.length).toBeLessThan(10)
  })

  it('deletes what is older than the limit of age', async () => {
    const journal = await reopen({ segmentBytes: 1 })
    await journal.append(entry('{"old":1}'))
    clock.advance(defaultLimits.retainMs + 1)
    await journal.append(entry('{"new":1}'))
    await journal.close()
    expect((await reopen()).entries.map(({ text }) => text)).toEqual(['{"new":1}'])
    expect(await segments()).toHaveLength(1)
  })

  it('refuses while the disk does, and goes on when it takes again', async () => {
    const journal = await reopen()
    await rename(dir, `${dir}-gone`)
    await writeFile(dir, 'a file in the place of the folder')
    await expect(journal.append(entry('{"n":1}'))).rejects.toMatchObject({ code: 'STORAGE' })
    await rm(dir)
    await journal.append(entry('{"n":2}'))
    await journal.close()
    expect((await reopen()).entries.map(({ text }) => text)).toEqual(['{"n":2}'])
    await rm(`${dir}-gone`, { recursive: true })
  })

  it('shares a folder with another collector without harming its lines', async () => {
    const [a, b] = [await reopen(), await reopen()]
    await Promise.all([a.append(entry('{"by":"a"}')), b.append(entry('{"by":"b"}'))])
    await Promise.all([a.close(), b.close()])
    expect((await reopen()).replayed).toEqual({ entries: 2, corrupt: 0, torn: 0 })
  })

  it('names a folder that it cannot use', async () => {
    const file = join(dir, 'file')
    await writeFile(file, '')
    const error = await openJournal({ dir: file, limits: defaultLimits, clock, take: () => {} }).catch(
      (e: unknown) => e,
    )
    expect(error).toBeInstanceOf(CollectorError)
    expect(error).toMatchObject({ code: 'FOLDER', message: expect.stringContaining(file) })
  })

  it('gives up a folder that can never be, such as one in /proc, and makes one that is deep', async () => {
    const given = { limits: defaultLimits, clock, take: () => {} }
    await expect(openJournal({ dir: '/proc/tandem/none', ...given })).rejects.toMatchObject({
      code: 'FOLDER',
    })
    const journal = await openJournal({ dir: join(dir, 'a/b/c'), ...given })
    await journal.close()
  })

  it('names a segment that it cannot read', async () => {
    const path = join(dir, '00000001.segment')
    await mkdir(path)
    await expect(reopen()).rejects.toMatchObject({
      code: 'FOLDER',
      message: expect.stringContaining(`cannot read ${path} (EISDIR)`),
    })
  })

  it('lets nobody else on the machine read what it keeps', async () => {
    const journal = await reopen()
    await journal.append(entry('{}'))
    expect((await stat(join(dir, '00000001.segment'))).mode & 0o077).toBe(0)
    await journal.close()
    await expect(journal.append(entry('{}'))).rejects.toMatchObject({ code: 'STORAGE' })
  })
})
