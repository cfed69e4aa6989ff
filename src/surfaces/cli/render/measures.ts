// The answers of `rye index` and `rye eval`.
import { isRecord } from '../../../base/index.ts'
import type { Terminal } from '../terminal.ts'
import { cell, columns, count, hangingIndent, milliseconds, records } from './columns.ts'
import type { Renderer } from './renderer.ts'

export const renderIndex: Renderer = (answer, { style }) => {
  // Some names are always skipped, which is not a mistake.
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

const FIGURES = ['ndcg10', 'recall5', 'recall10', 'mrr10', 'hit1', 'p50_ms', 'p95_ms'] as const
const KINDS = { words: 'words', built_in: 'built-in', folder: 'folder', provider: 'provider' } as const
/** `--json` lists all of them. */
const MOST_MISSED = 20

export const renderEval: Renderer = (answer, { columns: width, style }) => {
  const { compared, missed, warning } = answer
  const kinds = Object.entries(KINDS).filter(([kind]) => isRecord(compared) && isRecord(compared[kind]))
  const figureOf = (kind: string, name: string) =>
    isRecord(compared) && isRecord(compared[kind]) ? figure(compared[kind][name]) : ''
  const table =
    kinds.length === 0
      ? FIGURES.map(name => [style.dim(name), figure(answer[name])])
      : [
          ['', ...kinds.map(([, title]) => style.bold(title))],
          ...FIGURES.map(name => [style.dim(name), ...kinds.map(([kind]) => figureOf(kind, name))]),
        ]
  const lines = columns(table, width)
  if (warning) lines.unshift(style.yellow(`warning: ${cell(warning)}`), '')
  const own = records(missed)
  if (typeof answer.questions === 'number')
    lines.push(
      '',
      `${answer.questions - own.length} of ${count(answer.questions, 'question')} answered first`,
    )
  for (const { line, question, ids, rank, first } of own.slice(0, MOST_MISSED)) {
    const where = rank === null ? 'not among ten' : `at ${cell(rank)}`
    const expected = Array.isArray(ids) ? ids.map(cell).join(', ') : ''
    lines.push(hangingIndent(`${cell(line)}: `, cell(question), width))
    lines.push(
      style.dim(hangingIndent('     ', `${expected} ${where}; first ${cell(first) || 'nothing'}`, width)),
    )
  }
  if (own.length > MOST_MISSED) lines.push(style.dim(`and ${own.length - MOST_MISSED} more: --json`))
  return lines.join('\n')
}

function figure(value: unknown): string {
  return typeof value === 'number' ? value.toFixed(3) : cell(value)
}
