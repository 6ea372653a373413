/** One batch, as it came, and when. */
export interface Entry {
  /** Milliseconds since 1970, by the collector's clock. */
  readonly receivedMs: number
  /** JSON without line breaks. */
  readonly text: string
}

/** What a restart found. */
interface Replay {
  readonly entries: number
  /** Lines whose checksum does not fit: skipped. */
  readonly corrupt: number
  /** Segments whose last line was cut off by a crash. It was never acknowledged, so nothing is lost with it. */
  readonly torn: number
}

/** The append-only record that an acknowledgement rests on. */
export interface Journal {
  readonly replayed: Replay
  /**
   * Resolves when the entry is on the disk.
   * @throws CollectorError STORAGE
   */
  append(entry: Entry): Promise<void>
  size(): { readonly segments: number; readonly bytes: number }
  /** Waits for what was appended. */
  close(): Promise<void>
}
