import { outcomeOf } from './outcome.js'

type AnyGenerator = Generator<unknown, unknown, unknown> | AsyncGenerator<unknown, unknown, unknown>
type Step = (value?: unknown) => unknown

export function isGenerator(value: unknown): value is AnyGenerator {
  const kind = Object.prototype.toString.call(value)
  return kind === '[object Generator]' || kind === '[object AsyncGenerator]'
}

/**
 * The same generator, with `end` called once, when it is done, has thrown, or is left early; every step runs inside `run`. The
 * time is the consumer's as well. One that is never iterated never ends, and is not recorded.
 */
export function followGenerator(
  generator: AnyGenerator,
  run: <T>(step: () => T) => T,
  end: (outcome: string) => void,
): AnyGenerator {
  let ended = false
  const finish = (outcome: string): void => {
    if (ended) return
    ended = true
    end(outcome)
  }
  const failed = (error: unknown): never => {
    finish(outcomeOf(error))
    throw error
  }
  const stepped = (result: unknown): unknown => {
    if ((result as IteratorResult<unknown>).done === true) finish('ok')
    return result
  }
  const follow = (method: 'next' | 'return' | 'throw'): Step => {
    const step = generator[method] as Step
    return (value) => {
      try {
        const result = run(() => step.call(generator, value))
        return result instanceof Promise ? result.then(stepped, failed) : stepped(result)
      } catch (error) {
        return failed(error)
      }
    }
  }
  // From the generator's own prototype, so that for-of, instanceof and iterator helpers see no difference.
  const followed: AnyGenerator = Object.create(Object.getPrototypeOf(generator))
  return Object.assign(followed, { next: follow('next'), return: follow('return'), throw: follow('throw') })
}
