/** Timers take no longer delay (24.8 days), and would fire at once. */
export const longestDelayMs: number = 2 ** 31 - 1
