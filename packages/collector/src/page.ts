/** One file of the dashboard, ready to be sent. */
export interface Page {
  readonly body: ArrayBuffer
  readonly headers: Record<string, string>
}
