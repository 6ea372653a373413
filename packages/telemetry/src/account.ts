import type { DropReason } from './batch.js'

/** The count of every span's fate. Cumulative; what is neither delivered nor dropped is held somewhere, and its holder counts it. */
export interface Account {
  recorded: number
  delivered: number
  readonly dropped: { [R in DropReason]?: number }
}

export function account(): Account {
  return { recorded: 0, delivered: 0, dropped: {} }
}

export function drop(account: Account, reason: DropReason, spans = 1): void {
  if (spans > 0) account.dropped[reason] = (account.dropped[reason] ?? 0) + spans
}
