// Figures over receipts: how many a day, how many failed, and what is slow.
import type { Run } from 'ryekit'

export interface Day {
  /** `2026-02-03`. */
  readonly date: string
  readonly done: number
  readonly failed: number
}

export interface ToolFigures {
  readonly id: string
  readonly runs: number
  readonly failed: number
  readonly median: number
  readonly slowest: number
}

/** One entry for each of the last days, also for those without a run. */
export function countByDay(runs: readonly Run[], today: Date, days: number): Day[] {
  const dates = Array.from({ length: days }, (_, index) => {
    const date = new Date(today.getTime() - (days - 1 - index) * 86_400_000)
    return date.toISOString().slice(0, 10)
  })
  const counts = new Map(dates.map(date => [date, { done: 0, failed: 0 }]))
  for (const { time, outcome } of runs) {
    const count = counts.get(time.slice(0, 10))
    if (count) outcome === 'success' ? count.done++ : count.failed++
  }
  return [...counts].map(([date, count]) => ({ date, ...count }))
}

/** By tool, slowest median first. */
export function measureTools(runs: readonly Run[]): ToolFigures[] {
  const byTool = new Map<string, Run[]>()
  for (const run of runs) byTool.set(run.item_id, [...(byTool.get(run.item_id) ?? []), run])
  return [...byTool]
    .map(([id, own]) => {
      const times = own.map(run => run.duration_ms).sort((a, b) => a - b)
      return {
        id,
        runs: own.length,
        failed: own.filter(run => run.outcome !== 'success').length,
        median: times[Math.floor((times.length - 1) / 2)]!,
        slowest: times.at(-1)!,
      }
    })
    .sort((a, b) => b.median - a.median || a.id.localeCompare(b.id))
}
