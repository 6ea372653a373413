import type { JSX } from 'preact'

export interface SelectProps {
  readonly label: string
  readonly value: string
  /** Label by value. */
  readonly options: Record<string, string>
  choose(value: string): void
}

export function Select({ label, value, options, choose }: SelectProps): JSX.Element {
  return (
    <label class="select">
      <span class="unseen">{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
