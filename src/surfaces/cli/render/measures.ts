// The answers of `rye index` and `rye eval`.
import { isRecord } from '../../../base/index.ts'
import type { Terminal } from '../terminal.ts'
import { cell, columns, count, milliseconds, records } from './columns.ts'
import type { Renderer } from './renderer.ts'

export const renderIndex: Renderer = (answer, { style }) => {
  // Some names are always skipped: that is no mistake.
  const problems = records(answer.diagnostics).filter(({ code }) => code !== 'skipped-name')
  const changes = ['added', 'updated', 'deleted', 'unchanged']
    .map(key => `${cell(answer[key])} ${key}`)
    .join(', ')
  return [
    ...problems.map(found => style.yellow(`! ${cell(found.path)}: ${cell(found.message)}`)),
    `${count(answer.items, 'item')}: ${changes} ${style.dim(`(${milliseconds(answer.duration_ms)})`)}`,
    ...(isRecord(answer.embeddings) ? embeddingLines(answer.embeddings, style) : []),
  ].join('\n')
}

function embeddingLines(
  { model, embedded, missing, problem }: Readonly<Record<string, unknown>>,
  style: Terminal['style'],
): string[] {
  const without = missing ? `, ${count(missing, 'item')} without` : ''
  const line = `embeddings of ${cell(model)}: ${cell(embedded)} made${without}`
  return problem === undefined ? [line] : [line, style.yellow(`! ${cell(problem)}`)]
}

export const renderEval: Renderer = (answer, terminal) =>
  columns(
    Object.entries(answer).map(([name, value]) => [terminal.style.dim(name), cell(value)]),
    terminal.columns,
  ).join('\n')
