// Prints every goal as a ratio measured side by side in this run. A benchmark, no test: a missed goal does not fail it.
import { cpus } from 'node:os'

const suites = ['session', 'telemetry']
const wanted = process.argv.slice(2)

console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}\n`)
for (const suite of suites.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  const { rows } = await import(`./${suite}.mjs`)
  for (const { name, value, unit, goal, pass } of await rows()) {
    const verdict = goal === undefined ? '' : pass ? `goal ${goal}: met` : `goal ${goal}: MISSED`
    console.log(`${name.padEnd(62)} ${format(value, unit).padStart(9)} ${unit.padEnd(4)} ${verdict}`)
  }
}

/** @param {number} value @param {string} unit */
function format(value, unit) {
  // A goal of 1.02 is decided in the third place.
  if (unit === '×' && value < 10) return value.toFixed(3)
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
