// Figures over receipts: how many per day, how many failed, and what is slow.
import type { Run } from 'ryekit'

export interface Day {
  /** In local time, as receipts are shown: `2026-02-03`. */
  readonly date: string
  readonly done: number
  readonly failed: number
}

export interface Figures {
  readonly name: string
  readonly runs: number
  readonly failed: number
  readonly median: number
  readonly slowest: number
}

/** One entry for each of the last days, including those without a run. */
export function countByDay(runs: readonly Run[], today: Date, days: number): Day[] {
  // A day after a change of the clock does not have 24 hours.
  const dates = Array.from({ length: days }, (_, index) =>
    dateOf(new Date(today.getFullYear(), today.getMonth(), today.getDate() - (days - 1 - index))),
  )
  const counts = new Map(dates.map(date => [date, { done: 0, failed: 0 }]))
  for (const { time, outcome } of runs) {
    const count = counts.get(dateOf(new Date(time)))
    if (count) outcome === 'success' ? count.done++ : count.failed++
  }
  return [...counts].map(([date, count]) => ({ date, ...count }))
}

function dateOf(time: Date): string {
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()]
  return parts.map(part => String(part).padStart(2, '0')).join('-')
}

/** Figures of the runs that share a name, slowest median first. */
export function measureBy(runs: readonly Run[], nameOf: (run: Run) => string): Figures[] {
  const groups = new Map<string, Run[]>()
  for (const run of runs) {
    const name = nameOf(run)
    const group = groups.get(name)
    if (group) group.push(run)
    else groups.set(name, [run])
  }
  return [...groups]
    .map(([name, own]) => {
      const times = own.map(run => run.duration_ms).sort((a, b) => a - b)
      return {
        name,
        runs: own.length,
        failed: own.filter(run => run.outcome !== 'success').length,
        median: times[Math.floor((times.length - 1) / 2)]!,
        slowest: times.at(-1)!,
      }
    })
    .sort((a, b) => b.median - a.median || a.name.localeCompare(b.name))
}

/** Who ran it. An agent's name is its own claim, and never reads like the person. */
export function callerOf({ caller, client }: Run): string {
  if (caller === 'agent') return client === undefined ? 'an agent' : `agent ${client}`
  if (caller !== 'person') return 'not known'
  if (client === 'rye') return 'you, in the terminal'
  return client === 'rye ui' ? 'you, on this page' : 'you'
}
