// The form of a measurement, and the table that prints each figure beside its goal, with ratios taken in the
// same run.

/** CPU seconds (user and system) of this process while `work` runs. */
export async function cpuSeconds(work) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/**
 * One line of the table. `goal` is text; `met` says whether the figure reaches it, or is null when there is
 * no goal.
 */
export function figure(what, measured, goal = '', met = null) {
  return { what, measured, goal, met }
}

export function atMost(what, value, goal, unit) {
  return figure(what, `${round(value)} ${unit}`, `<= ${goal} ${unit}`, value <= goal)
}

export function atLeast(what, value, goal, unit) {
  return figure(what, `${round(value)} ${unit}`, `>= ${goal} ${unit}`, value >= goal)
}

export function round(value) {
  if (Math.abs(value) >= 100) return Math.round(value).toString()
  return Number(value.toPrecision(3)).toString()
}

export function printTable(title, rows) {
  console.log(`\n${title}`)
  const width = Math.max(...rows.map(row => row.what.length))
  for (const { what, measured, goal, met } of rows) {
    const mark = met === null ? ' ' : met ? '✓' : '✗'
    console.log(`  ${mark} ${what.padEnd(width)}  ${measured}${goal ? `  (goal ${goal})` : ''}`)
  }
}
