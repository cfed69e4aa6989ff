import { isRecord, printVisibleJson } from '../../../base/index.ts'
import { cell, columns, count, milliseconds, records } from './columns.ts'
import type { Renderer } from './renderer.ts'

export const renderRuns: Renderer = (answer, terminal) => {
  const { style } = terminal
  const runs = Array.isArray(answer.runs) ? answer.runs.filter(isRecord) : []
  if (isRecord(answer.run)) return printVisibleJson(answer.run)
  const rows = runs.map(run => [
    style.dim(cell(run.receipt).slice(0, 12)),
    cell(run.time).slice(0, 19),
    run.outcome === 'success' ? style.green('✓') : style.red(`✗ ${cell(run.outcome)}`),
    style.bold(cell(run.item_id)),
    style.dim(milliseconds(run.duration_ms)),
  ])
  const broken = records(answer.faults).map(({ line, fault }) => `line ${cell(line)} ${cell(fault)}`)
  const intact =
    broken.length > 0
      ? style.red(`the log is broken: ${broken.join(', ')}`)
      : style.green('the log is intact')
  return [...columns(rows, terminal.columns), '', `${count(runs.length, 'run')}; ${intact}`].join('\n')
}
