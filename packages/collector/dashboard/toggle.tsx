import type { JSX } from 'preact'

export interface ToggleProps<T extends string> {
  readonly label: string
  readonly options: readonly T[]
  readonly value: T
  choose(value: T): void
}

/** One of a few, all in sight. */
export function Toggle<T extends string>({ label, options, value, choose }: ToggleProps<T>): JSX.Element {
  return (
    <fieldset class="toggle">
      <legend class="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="radio"
            class="unseen"
            name={label}
            checked={option === value}
            onChange={() => choose(option)}
          />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  )
}
