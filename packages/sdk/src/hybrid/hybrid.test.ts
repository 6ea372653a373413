import type { ChildContext, Recorder, Span } from '@tandem/telemetry'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { InferenceError } from '../error.js'
import type { Model, Place, RunOptions, Session } from '../session.js'
import { hybrid } from './hybrid.js'
import { modes } from './options.js'

const feeds = { x: { dtype: 'float32', shape: [2], data: new Float32Array([1, 2]) } } as const
const offline = (): InferenceError =>
  new InferenceError('REMOTE', 'The server did not answer. Start it with tandem serve.')

interface Script {
  /** Called for every run; what it throws is the run's failure. */
  run?: (options: RunOptions) => unknown
  open?: () => unknown
}

/** A session whose outcomes are scripted, with a record of what it was asked. */
function scripted<P extends Place>(place: P, script: Script = {}) {
  const log: { opened: number; runs: RunOptions[]; disposed: number } = { opened: 0, runs: [], disposed: 0 }
  const timings = {
    total: 1,
    queue: null,
    preprocess: null,
    input: null,
    inference: 1,
    output: null,
    postprocess: null,
    network: null,
    batchSize: 1,
    computeShare: 1,
    cache: 'none',
  } as const
  const session: Session<Model, P> = {
    info: {
      model: 'net',
      place,
      device: place === 'local' ? 'cpu' : 'remote',
      why: 'scripted',
      attempts: [],
      load: { downloadMs: null, createMs: null },
      runtime: 'none',
    },
    inputs: [],
    outputs: [],
    async run(given, options = {}) {
      log.runs.push(options)
      await script.run?.(options)
      return { outputs: { y: given.x ?? feeds.x }, place, timings, attempts: [] }
    },
    async dispose() {
      log.disposed++
    },
    [Symbol.asyncDispose]: () => session.dispose(),
  }
  const source = async (): Promise<Session<Model, P>> => {
    log.opened++
    await script.open?.()
    return session
  }
  return { source, log }
}

const fail = (error: unknown) => () => {
  throw error
}

describe('where a call goes', () => {
  it.each([
    ['prefer_on_device', 'local'],
    ['prefer_in_cloud', 'remote'],
  ] as const)('%s runs %s and never makes the other', async (mode, place) => {
    const local = scripted('local')
    const remote = scripted('remote')
    const session = await hybrid({ mode, local: local.source, remote: remote.source })
    const result = await session.run(feeds)
    expect(result.place).toBe(place)
    expect(session.info.place).toBe(place)
    expect(local.log.opened + remote.log.opened).toBe(1)
    expect(result.attempts.map(({ target, outcome }) => [target, outcome])).toEqual([[place, 'ok']])
  })

  it('falls back when the preferred place does not load, and says so', async () => {
    const local = scripted('local', { open: fail(new InferenceError('DEVICE_UNAVAILABLE', 'No device.')) })
    const session = await hybrid({
      mode: 'prefer_on_device',
      local: local.source,
      remote: scripted('remote').source,
    })
    expect(session.info).toMatchObject({
      place: 'remote',
      attempts: [{ target: 'local', outcome: 'failed', code: 'DEVICE_UNAVAILABLE', reason: 'No device.' }],
    })
    await session.run(feeds)
    await session.run(feeds)
    expect(local.log.opened).toBe(1)
  })

  it('falls back when a run fails: same request id, both attempts in the result, the feeds still there', async () => {
    const local = scripted('local', { run: fail(new InferenceError('REALM_CRASHED', 'It crashed.')) })
    const remote = scripted('remote')
    const session = await hybrid({ mode: 'prefer_on_device', local: local.source, remote: remote.source })
    const result = await session.run(feeds, { transfer: true })
    expect(result.place).toBe('remote')
    expect(result.attempts).toMatchObject([
      { target: 'local', device: 'cpu', outcome: 'failed', code: 'REALM_CRASHED', reason: 'It crashed.' },
      { target: 'remote', outcome: 'ok' },
    ])
    expect(local.log.runs[0]?.requestId).toMatch(/^[0-9a-f]{32}$/)
    expect(remote.log.runs[0]?.requestId).toBe(local.log.runs[0]?.requestId)
    expect(local.log.runs[0]?.transfer).toBe(false)
    expect(remote.log.runs[0]?.transfer).toBe(true)
  })

  it('tries a place that did not load again when nothing else is left', async () => {
    let broken = true
    const remote = scripted('remote', {
      open: () => {
        if (broken) throw offline()
      },
    })
    const local = scripted('local', { run: fail(new InferenceError('OUT_OF_MEMORY', 'Full.')) })
    const session = await hybrid({ mode: 'prefer_in_cloud', local: local.source, remote: remote.source })
    broken = false
    const result = await session.run(feeds)
    expect(result.attempts.map((attempt) => attempt.target)).toEqual(['local', 'remote'])
  })

  it('reports both failures when nothing is left', async () => {
    const session = await hybrid({
      mode: 'prefer_in_cloud',
      local: scripted('local', { run: fail(new InferenceError('OUT_OF_MEMORY', 'Full.')) }).source,
      remote: scripted('remote', { run: fail(offline()) }).source,
    })
    await expect(session.run(feeds)).rejects.toMatchObject({
      name: 'InferenceError',
      code: 'OUT_OF_MEMORY',
      message: 'Full. (before that, remote failed: The server did not answer. Start it with tandem serve.)',
      data: {
        attempts: [
          { target: 'remote', code: 'REMOTE' },
          { target: 'local', code: 'OUT_OF_MEMORY' },
        ],
      },
    })
  })
})

describe('what never falls back', () => {
  it.each([new InferenceError('INVALID_INPUT', 'Bad feed.'), new InferenceError('DEADLINE', 'Too late.')])(
    '$code',
    async (error) => {
      const remote = scripted('remote')
      const session = await hybrid({
        mode: 'prefer_on_device',
        local: scripted('local', { run: fail(error) }).source,
        remote: remote.source,
      })
      await expect(session.run(feeds)).rejects.toBe(error)
      expect(remote.log.opened).toBe(0)
    },
  )

  it("the caller's abort, whose reason arrives untouched", async () => {
    const controller = new AbortController()
    const reason = { why: 'the user left' }
    const remote = scripted('remote')
    const local = scripted('local', {
      run: () => {
        controller.abort(reason)
        throw new InferenceError('REALM_CRASHED', 'At the same moment.')
      },
    })
    const session = await hybrid({ mode: 'prefer_on_device', local: local.source, remote: remote.source })
    await expect(session.run(feeds, { signal: controller.signal })).rejects.toBe(reason)
    await expect(session.run(feeds, { signal: controller.signal })).rejects.toBe(reason)
    expect(remote.log.opened).toBe(0)
    expect(local.log.runs).toHaveLength(1)
  })
})

describe('only_on_device', () => {
  it('never makes a remote session, whatever fails', async () => {
    const codes = ['REALM_CRASHED', 'DEVICE_LOST', 'OUT_OF_MEMORY', 'UNSUPPORTED', 'QUEUE_FULL'] as const
    for (const code of codes) {
      const local = scripted('local', { run: fail(new InferenceError(code, 'No.')) })
      const session = await hybrid({ mode: 'only_on_device', local: local.source })
      await expect(session.run(feeds)).rejects.toMatchObject({ code })
    }
    const unloadable = scripted('local', { open: fail(new InferenceError('NOT_A_MODEL', 'No.')) })
    await expect(hybrid({ mode: 'only_on_device', local: unloadable.source })).rejects.toMatchObject({
      code: 'NOT_A_MODEL',
    })
  })

  it('refuses a remote from callers without types, before it is made', async () => {
    const remote = scripted('remote')
    const options = {
      mode: 'only_on_device',
      local: scripted('local').source,
      remote: remote.source,
    } as const
    // @ts-expect-error what the types forbid is refused at run time too
    await expect(hybrid(options)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(remote.log.opened).toBe(0)
  })

  it.each([undefined, null, 5, {}])('refuses a source that gives %j', async (nothing) => {
    const source = () => nothing as never
    await expect(hybrid({ mode: 'only_on_device', local: source })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
    await expect(hybrid({ mode: 'prefer_on_device', local: source, remote: source })).rejects.toThrow(
      '`local` must return a session',
    )
  })

  it('refuses a remote session in the place of a local one, and disposes it', async () => {
    const remote = scripted('remote')
    // @ts-expect-error what the types forbid is refused at run time too
    await expect(hybrid({ mode: 'only_on_device', local: remote.source })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(remote.log).toMatchObject({ runs: [], disposed: 1 })
  })
})

describe('options', () => {
  it.each(modes)('%s without its sources names what is missing', async (mode) => {
    // @ts-expect-error incomplete on purpose
    const made = hybrid({ mode })
    await expect(made).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`mode ${mode} needs`),
    })
  })

  it('lists the modes when given another', async () => {
    // @ts-expect-error unknown on purpose
    await expect(hybrid({ mode: 'fastest' })).rejects.toThrow(
      'prefer_on_device, only_on_device, prefer_in_cloud, only_in_cloud',
    )
  })
})

describe('deadlines', () => {
  it('gives a later attempt what is left', async () => {
    const local = scripted('local', {
      run: async () => {
        const end = performance.now() + 5
        while (performance.now() < end) await null
        throw offline()
      },
    })
    const remote = scripted('remote')
    const session = await hybrid({ mode: 'prefer_on_device', local: local.source, remote: remote.source })
    await session.run(feeds, { deadlineMs: 10_000 })
    expect(local.log.runs[0]?.deadlineMs).toBeLessThanOrEqual(10_000)
    expect(remote.log.runs[0]?.deadlineMs).toBeLessThanOrEqual(9_995)
  })

  it('does not wait for a place that opens too late', async () => {
    const session = await hybrid({
      mode: 'prefer_on_device',
      local: scripted('local', { run: fail(offline()) }).source,
      remote: scripted('remote', { open: () => new Promise(() => {}) }).source,
    })
    await expect(session.run(feeds, { deadlineMs: 20 })).rejects.toMatchObject({ code: 'DEADLINE' })
  })

  it('takes a deadline that is longer than timers can wait', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let opened = (): void => {}
    const session = await hybrid({
      mode: 'prefer_on_device',
      local: scripted('local', { run: fail(offline()) }).source,
      remote: scripted('remote', { open: () => new Promise<void>((resolve) => (opened = resolve)) }).source,
    })
    const call = session.run(feeds, { deadlineMs: 2 ** 32 })
    const late = vi.advanceTimersByTimeAsync(60_000).then(() => opened())
    await expect(call).resolves.toMatchObject({ place: 'remote' })
    await late
  })
})

describe('dispose', () => {
  it('disposes what was made, once, and refuses later calls', async () => {
    const local = scripted('local', { run: fail(offline()) })
    const remote = scripted('remote')
    const session = await hybrid({ mode: 'prefer_on_device', local: local.source, remote: remote.source })
    await session.run(feeds)
    await Promise.all([session.dispose(), session.dispose()])
    expect([local.log.disposed, remote.log.disposed]).toEqual([1, 1])
    await expect(session.run(feeds)).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('disposes a place that was still opening as soon as it is there', async () => {
    let open = (): void => {}
    const remote = scripted('remote', {
      open: () =>
        new Promise<void>((resolve) => {
          open = resolve
        }),
    })
    const session = await hybrid({
      mode: 'prefer_on_device',
      local: scripted('local', { run: fail(offline()) }).source,
      remote: remote.source,
    })
    const running = session.run(feeds)
    await Promise.resolve()
    await session.dispose()
    open()
    await expect(running).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(remote.log).toMatchObject({ runs: [], disposed: 1 })
  })
})

it('joins the attempts of a call under one span', async () => {
  const spans: Span[] = []
  let next = 0
  const recorder: Recorder = {
    child(parent): ChildContext {
      return {
        traceId: parent?.traceId ?? 'new',
        spanId: String(next++),
        parentSpanId: parent?.spanId,
        sampled: true,
        recorder,
      }
    },
    record: (span) => void spans.push(span),
  }
  const local = scripted('local', { run: fail(offline()) })
  const remote = scripted('remote')
  const session = await hybrid({
    mode: 'prefer_on_device',
    local: local.source,
    remote: remote.source,
    telemetry: recorder,
  })
  const root = recorder.child()
  await session.run(feeds, { trace: root })
  expect(spans).toMatchObject([
    {
      name: 'hybrid',
      place: 'remote',
      device: 'remote',
      why: 'fallback',
      outcome: 'ok',
      context: { parentSpanId: root.spanId },
    },
  ])
  expect(local.log.runs[0]?.trace).toBe(remote.log.runs[0]?.trace)
  expect(local.log.runs[0]?.trace?.spanId).toBe(spans[0]?.context.spanId)
})
