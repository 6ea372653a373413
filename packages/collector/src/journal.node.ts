import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from './clock.js'
import { CollectorError } from './error.js'
import { makeFolder } from './folder.node.js'
import type { Entry, Journal } from './journal.js'
import type { Limits } from './limits.js'
import { encodeLine } from './line.node.js'
import { readSegment } from './segment.node.js'

export interface JournalOptions {
  readonly dir: string
  readonly limits: Limits
  readonly clock: Clock
  /** Gets every entry of earlier runs, oldest first, before the promise resolves. */
  readonly take: (entry: Entry) => void
}

interface Segment {
  readonly name: string
  bytes: number
  lastMs: number
}

interface Open {
  readonly file: FileHandle
  readonly segment: Segment
}

interface Waiting {
  readonly line: Buffer
  readonly receivedMs: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Segment files in a folder. Whoever waits while the disk is busy shares the next write and the next fsync.
 * Every start and every failed write begins a new segment: a file that may end in half a line is never written to again.
 * @throws CollectorError FOLDER
 */
export async function openJournal({ dir, limits, clock, take }: JournalOptions): Promise<Journal> {
  const replayed = { entries: 0, corrupt: 0, torn: 0 }
  const segments: Segment[] = []
  for (const name of await segmentNames(dir)) {
    const report = await readSegment(join(dir, name), take).catch((cause: unknown) => {
      throw unreadable(join(dir, name), cause)
    })
    replayed.entries += report.entries
    replayed.corrupt += report.corrupt
    replayed.torn += report.torn
    segments.push({ name, bytes: report.bytes, lastMs: report.lastMs })
  }

  let current: Open | undefined
  let waiting: Waiting[] = []
  let flushing: Promise<void> | undefined
  let closed = false

  await prune()
  return {
    replayed,
    append(entry) {
      if (closed)
        return Promise.reject(
          new CollectorError('STORAGE', 'the collector is closing: send this again later'),
        )
      return new Promise<void>((resolve, reject) => {
        waiting.push({ line: encodeLine(entry), receivedMs: entry.receivedMs, resolve, reject })
        flushing ??= flush()
      })
    },
    size: () => ({ segments: segments.length, bytes: total() }),
    async close() {
      closed = true
      await flushing
      await current?.file.close()
      current = undefined
    },
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      try {
        await write(group)
        for (const one of group) one.resolve()
      } catch (cause) {
        await abandon()
        const error = refused(cause)
        for (const one of group) one.reject(error)
      }
    }
    // On this very tick: whoever appends after the last look at `waiting` must start the next flush.
    flushing = undefined
  }

  async function write(group: readonly Waiting[]): Promise<void> {
    if (current !== undefined && current.segment.bytes >= limits.segmentBytes) await finish(current)
    current ??= await begin()
    const { file, segment } = current
    const bytes = Buffer.concat(group.map((one) => one.line))
    await file.appendFile(bytes)
    await file.datasync()
    segment.bytes += bytes.length
    for (const one of group) segment.lastMs = Math.max(segment.lastMs, one.receivedMs)
  }

  async function begin(): Promise<Open> {
    await prune()
    await makeFolder(dir)
    const { file, name } = await create(dir, Number.parseInt(segments.at(-1)?.name ?? '0', 10) + 1)
    const segment = { name, bytes: 0, lastMs: clock.now() }
    segments.push(segment)
    await syncFolder(dir)
    return { file, segment }
  }

  async function finish({ file }: Open): Promise<void> {
    current = undefined
    await file.close()
  }

  async function abandon(): Promise<void> {
    const failed = current
    current = undefined
    if (failed === undefined) return
    await failed.file.close().catch(() => undefined)
    if (failed.segment.bytes === 0) await remove(failed.segment).catch(() => undefined)
  }

  async function prune(): Promise<void> {
    const oldestMs = clock.now() - limits.retainMs
    for (const segment of [...segments]) {
      if (segment === current?.segment) continue
      if (segment.lastMs >= oldestMs && total() <= limits.retainBytes) break
      await remove(segment)
    }
  }

  async function remove(segment: Segment): Promise<void> {
    await rm(join(dir, segment.name), { force: true })
    segments.splice(segments.indexOf(segment), 1)
  }

  function total(): number {
    return segments.reduce((sum, segment) => sum + segment.bytes, 0)
  }
}

async function segmentNames(dir: string): Promise<string[]> {
  try {
    await makeFolder(dir)
    return (await readdir(dir)).filter((name) => /^\d{8,}\.segment$/.test(name)).sort()
  } catch (cause) {
    throw new CollectorError(
      'FOLDER',
      `cannot use the folder ${dir}: give one that can be created and written`,
      {
        cause,
      },
    )
  }
}

function unreadable(path: string, cause: unknown): CollectorError {
  const text = `cannot read ${path}${codeOf(cause)}: move it away, or give another folder`
  return new CollectorError('FOLDER', text, { cause })
}

function refused(cause: unknown): CollectorError {
  const text = `the disk refused the batch${codeOf(cause)}: send it again later`
  return new CollectorError('STORAGE', text, { cause })
}

/** ` (EISDIR)` */
function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
}

/** The first free number's file. `x` keeps off the file of another collector on the same folder. */
async function create(dir: string, number: number): Promise<{ file: FileHandle; name: string }> {
  const name = `${String(number).padStart(8, '0')}.segment`
  try {
    return { file: await open(join(dir, name), 'ax', 0o600), name }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return create(dir, number + 1)
    throw error
  }
}

/** A new file outlives a power cut only when its folder was synced too. */
async function syncFolder(dir: string): Promise<void> {
  // Windows cannot open a folder, and needs no sync of it.
  const folder = await open(dir, 'r').catch(() => undefined)
  await folder?.sync()
  await folder?.close()
}
