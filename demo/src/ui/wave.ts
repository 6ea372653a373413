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

/** An SVG path of probabilities over the same box: 0 at the bottom, 1 at the top. `share` of the width is covered. */
export function curve(values: ArrayLike<number>, width: number, height: number): string {
  const step = width / Math.max(1, values.length)
  return Array.from(
    { length: values.length },
    (_, i) =>
      `${i === 0 ? 'M' : 'L'}${((i + 0.5) * step).toFixed(1)} ${((1 - (values[i] ?? 0)) * height).toFixed(1)}`,
  ).join('')
}
