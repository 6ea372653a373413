import type { Trace, TraceOptions } from './trace.js'

export interface TracedOptions extends TraceOptions {
  /** The span's name; by default the function's, which minifiers shorten, or the method's, which they keep. */
  readonly name?: string | undefined
}

type AnyFunction = (...args: never[]) => unknown

/** `traced(fn)`, `traced('name', fn)` and `@traced()` on a method: the same function, and every call is a span. */
export interface Traced {
  <F extends AnyFunction>(name: string, fn: F, options?: TracedOptions): F
  <F extends AnyFunction>(fn: F, options?: TracedOptions): F
  (
    name?: string | TracedOptions,
  ): <This, Args extends unknown[], R>(
    method: (this: This, ...args: Args) => R,
    context: ClassMethodDecoratorContext<This, (this: This, ...args: Args) => R>,
  ) => (this: This, ...args: Args) => R
}

/** @param trace undefined when telemetry is off: functions then stay what they are */
export function tracedBy(trace: Trace | undefined): Traced {
  const wrapped = new WeakSet<object>()

  const wrap = <F extends AnyFunction>(fn: F, name: string, options: TracedOptions): F => {
    if (trace === undefined || wrapped.has(fn)) return fn
    const { name: _, ...labels } = options
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
      return trace(name, () => Reflect.apply(fn, this, args), labels)
    }
    Object.defineProperties(wrapper, {
      name: { value: fn.name, configurable: true },
      length: { value: fn.length, configurable: true },
    })
    wrapped.add(wrapper)
    return wrapper as AnyFunction as F
  }

  const traced = (
    first: AnyFunction | string | TracedOptions = {},
    second: AnyFunction | TracedOptions = {},
    third: TracedOptions = {},
  ): unknown => {
    if (typeof first === 'function') {
      const options = typeof second === 'function' ? third : second
      return wrap(first, options.name ?? (first.name || 'anonymous'), options)
    }
    const options = typeof first === 'string' ? { ...third, name: first } : first
    if (typeof second === 'function')
      return wrap(second, options.name ?? (second.name || 'anonymous'), options)
    return (method: unknown, context?: { kind: string; name: string | symbol }) => {
      if (context?.kind !== 'method' || typeof method !== 'function') {
        const target = context?.kind ?? 'legacy decorator (experimentalDecorators)'
        throw new TypeError(`@traced() is for methods, this is a ${target}: wrap the function, traced(fn)`)
      }
      return wrap(method as AnyFunction, options.name ?? String(context.name), options)
    }
  }
  return traced as Traced
}
