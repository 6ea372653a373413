import { firstSample, type Input } from '../inputs.js'
import type { ModelName } from '../model/task.js'
import type { Choice } from '../places.js'
import type {
  Call,
  Failure,
  Found,
  Group,
  Job,
  Notice,
  Opened,
  Reachable,
  Row,
  RunLog,
  ServerName,
  State,
  Vital,
  VitalName,
  Where,
} from './state.js'

/** Everything that can happen on the page. */
export type Event =
  | { readonly type: 'model'; readonly model: ModelName; readonly runs: number }
  | { readonly type: 'input'; readonly input: Input; readonly runs: number }
  | { readonly type: 'choice'; readonly choice: Choice }
  | { readonly type: 'runs'; readonly runs: number }
  | { readonly type: 'started'; readonly job: Job }
  | { readonly type: 'progress'; readonly job: Job }
  | { readonly type: 'reference'; readonly from: string }
  | { readonly type: 'calls'; readonly opened: Opened; readonly calls: readonly Call[] }
  | { readonly type: 'answer'; readonly found: Found }
  | { readonly type: 'run'; readonly log: Omit<RunLog, 'number'> }
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'ended'; readonly notice: Notice | undefined }
  | { readonly type: 'notice'; readonly notice: Notice | undefined }
  | { readonly type: 'cleared' }
  | { readonly type: 'health'; readonly server: ServerName; readonly reachable: Reachable }
  | { readonly type: 'vital'; readonly name: VitalName; readonly vital: Vital }

/** Older runs leave the list; their figures stay in the table. */
const keptRuns = 100

export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case 'model':
      if (event.model === state.model) return state
      return {
        ...state,
        model: event.model,
        input: firstSample(event.model),
        runs: event.runs,
        notice: undefined,
      }
    case 'input': {
      const runs = event.input.model === state.model ? state.runs : event.runs
      return { ...state, model: event.input.model, input: event.input, runs, notice: undefined }
    }
    case 'choice':
      return { ...state, choice: event.choice, notice: undefined }
    case 'runs':
      return { ...state, runs: event.runs }
    case 'started':
      return { ...state, job: event.job, notice: undefined }
    case 'progress':
      return state.job === undefined ? state : { ...state, job: event.job }
    case 'reference':
      return { ...state, reference: event.from }
    case 'calls':
      return { ...state, groups: measured(state.groups, event.opened, event.calls) }
    case 'answer':
      return { ...state, found: event.found }
    case 'run':
      return withRun(state, event.log)
    case 'failed':
      return { ...state, failures: [...without(state.failures, event.failure), event.failure] }
    case 'ended':
      return { ...state, job: undefined, notice: event.notice }
    case 'notice':
      return { ...state, notice: event.notice }
    case 'cleared':
      return { ...state, groups: [], failures: [], log: [], found: undefined, notice: undefined }
    case 'health':
      return { ...state, health: { ...state.health, [event.server]: event.reachable } }
    case 'vital':
      return { ...state, vitals: { ...state.vitals, [event.name]: event.vital } }
  }
}

function keyOf({ model, choice, place, device }: Where): string {
  return [model, choice, place, device].join(' ')
}

function measured(groups: readonly Group[], opened: Opened, calls: readonly Call[]): readonly Group[] {
  const key = keyOf(opened)
  const found = groups.find((group) => group.key === key)
  const group: Group = found ?? {
    ...opened,
    key,
    firstMs: undefined,
    values: {},
    passes: 0,
    difference: undefined,
  }
  const first = calls.find((call) => call.first && call.series.total !== undefined)?.series.total
  const next: Group = {
    ...group,
    firstMs: group.firstMs ?? first ?? undefined,
    difference: calls.reduce((largest, call) => worst(largest, call.difference), group.difference),
    values: appended(
      group.values,
      calls.filter((call) => !call.first),
    ),
  }
  return found === undefined ? [...groups, next] : groups.map((other) => (other === found ? next : other))
}

function appended(values: Group['values'], calls: readonly Call[]): Group['values'] {
  const result: { [S in Row]?: readonly number[] } = { ...values }
  const added: { [S in Row]?: number[] } = {}
  for (const call of calls) {
    for (const [row, ms] of Object.entries(call.series) as [Row, number | null][]) {
      if (ms === null) continue
      added[row] ??= []
      added[row].push(ms)
    }
  }
  for (const [row, list] of Object.entries(added) as [Row, number[]][]) {
    result[row] = [...(result[row] ?? []), ...list]
  }
  return result
}

function withRun(state: State, log: Omit<RunLog, 'number'>): State {
  const key = keyOf(log)
  const number = (state.log[0]?.number ?? 0) + 1
  return {
    ...state,
    failures: without(state.failures, log),
    log: [{ ...log, number }, ...state.log].slice(0, keptRuns),
    groups: state.groups.map((group) => (group.key === key ? { ...group, passes: group.passes + 1 } : group)),
  }
}

function without(
  failures: readonly Failure[],
  { model, choice }: Pick<Where, 'model' | 'choice'>,
): readonly Failure[] {
  return failures.filter((failure) => failure.model !== model || failure.choice !== choice)
}

function worst(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return Math.max(a, b)
}
