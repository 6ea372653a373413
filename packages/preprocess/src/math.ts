/**
 * Engines are free in the last bit of `Math.sin`; products and sums are not. Filter tables are made with these, so that
 * they are the same bytes in every browser and in Node.
 */

/** sin(π x), from the Taylor series on [-1/2, 1/2]. */
export const sinPi = (x: number): number => {
  const whole = Math.round(x)
  const t = Math.PI * (x - whole)
  const square = t * t
  let term = t
  let sum = t
  for (let n = 3; n <= 23; n += 2) {
    term *= -square / (n * (n - 1))
    sum += term
  }
  return whole % 2 === 0 ? sum : -sum
}

/** sin(π x) / (π x). */
export const sinc = (x: number): number => (x === 0 ? 1 : sinPi(x) / (Math.PI * x))

/** The modified Bessel function of order zero: the Kaiser window is I0(β √(1 − r²)) / I0(β). */
export const besselI0 = (x: number): number => {
  const quarter = (x * x) / 4
  let term = 1
  let sum = 1
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= quarter / (n * n)
    sum += term
  }
  return sum
}

/** Python's and IEEE's rounding, which torchvision's crop and the letterboxes use: halves go to the even neighbour. */
export const roundHalfEven = (x: number): number => {
  const down = Math.floor(x)
  const rest = x - down
  if (rest !== 0.5) return Math.round(x)
  return down % 2 === 0 ? down : down + 1
}
