/** An SVG path of a recording's outline in a box of `width` × `height`: the loudest and the lowest sample of each column. */
export function outline(samples: Float32Array, width: number, height: number): string {
  const middle = height / 2
  const loudest = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 1e-6)
  const parts: string[] = []
  for (let x = 0; x < width; x += 1) {
    const column = samples.subarray(
      Math.floor((x * samples.length) / width),
      Math.max(Math.floor((x * samples.length) / width) + 1, Math.floor(((x + 1) * samples.length) / width)),
    )
    const top = column.reduce((a, b) => Math.max(a, b), -1)
    const bottom = column.reduce((a, b) => Math.min(a, b), 1)
    const y = (value: number): string => (middle - (value / loudest) * 0.92 * middle).toFixed(1)
    parts.push(`M${x + 0.5} ${y(Math.max(top, bottom))}V${y(Math.min(top, bottom))}`)
  }
  return parts.join('')
}

/** An SVG path of probabilities, 0 at the bottom, 1 at the top of `height`, one every `step`; it ends before the first NaN. */
export function curve(values: ArrayLike<number>, step: number, height: number): string {
  const parts: string[] = []
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) break
    parts.push(`${i === 0 ? 'M' : 'L'}${((i + 0.5) * step).toFixed(1)} ${((1 - value) * height).toFixed(1)}`)
  }
  return parts.join('')
}
