// What a catalogue holds, what a sync wrote to it, and what was found in it.
import { isRecord } from '../../../base/index.ts'
import { cell, count, hangingIndent, records } from './columns.ts'
import type { Renderer } from './renderer.ts'

export const renderCatalogueSync: Renderer = (answer, { style }) => {
  const roots = records(answer.roots).map(root => `${style.bold(cell(root.root))}  ${countsOf(root)}`)
  const left = records(answer.diagnostics).map(
    ({ path, message }) => `${style.yellow('!')} ${cell(path)}: ${cell(message)}`,
  )
  const what = answer.dry_run === true ? 'nothing was written: ' : ''
  return [...left, ...roots, `${what}${countsOf(answer)} in ${cell(answer.table)}`].join('\n')
}

export const renderCatalogueSearch: Renderer = (answer, { style, columns }) => {
  const results = records(answer.results)
  const warning = 'warning' in answer ? [`${style.yellow('!')} ${cell(answer.warning)}`] : []
  if (results.length === 0) return [...warning, 'nothing found'].join('\n')
  return [
    ...warning,
    ...results.flatMap(result => [
      `${style.bold(`${cell(result.type)}:${cell(result.id)}`)}  ${style.dim(`${cell(result.score)} ${cell(result.root)} ${cell(result.trust)}`)}`,
      hangingIndent('  ', cell(result.description).slice(0, 160), columns),
    ]),
    '',
    style.dim(`${count(results.length, 'result')} of ${count(answer.items, 'item')}`),
  ].join('\n')
}

export const renderCatalogueStatus: Renderer = (answer, { style }) => {
  const roots = isRecord(answer.roots) ? Object.entries(answer.roots) : []
  const problems = Array.isArray(answer.problems) ? answer.problems : []
  const mark = answer.health === 'good' ? style.green('✓') : style.yellow('!')
  return [
    `${mark} ${count(answer.rows, 'row')} in ${cell(answer.table)}: ${cell(answer.health)}`,
    ...roots.map(([root, rows]) => `  ${cell(root)}  ${count(rows, 'row')}`),
    `version ${cell(answer.version)} of ${cell(answer.written)}, ${count(answer.bytes, 'byte')}, ${count(answer.versions, 'version')} kept`,
    ...problems.map(problem => `${style.yellow('!')} ${cell(problem)}`),
  ].join('\n')
}

function countsOf(counts: Readonly<Record<string, unknown>>): string {
  const names = ['added', 'updated', 'deleted', 'unchanged']
  return names.map(name => `${cell(counts[name])} ${name}`).join(', ')
}
