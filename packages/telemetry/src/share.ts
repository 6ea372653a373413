/**
 * A consistent share of all traces by W3C's rule (trace context level 2): kept when the low 56 bits of the trace id are at least
 * (1 − share) · 2^56. Whoever applies the same share to the same id, in any language, keeps the same traces.
 */
export function keepsShare(share: number): (high: number, low: number) => boolean {
  const threshold = (1 - Math.min(1, Math.max(0, share))) * 2 ** 24
  const thresholdHigh = Math.floor(threshold)
  const thresholdLow = Math.round((threshold - thresholdHigh) * 2 ** 32)
  // Compared in two halves, for a double holds 53 bits only.
  return (high, low) => {
    const top = high & 0xffffff
    return top > thresholdHigh || (top === thresholdHigh && low >= thresholdLow)
  }
}
