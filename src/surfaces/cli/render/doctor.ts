import { isRecord } from '../../../base/index.ts'
import { cell, fold } from './columns.ts'
import type { Renderer } from './renderer.ts'

export const renderDoctor: Renderer = (answer, terminal) => {
  const { style } = terminal
  const checks = Array.isArray(answer.checks) ? answer.checks.filter(isRecord) : []
  const marks: Record<string, string> = {
    ok: style.green('✓'),
    note: style.yellow('!'),
    problem: style.red('✗'),
  }
  return checks
    .flatMap(check => [
      fold(
        `${marks[cell(check.status)] ?? '?'} ${style.bold(cell(check.name))}  ${cell(check.message)}`,
        terminal.columns,
      ),
      // A command is not wrapped, so that it can be copied.
      ...(check.fix ? [`    ${style.cyan(cell(check.fix))}`] : []),
    ])
    .join('\n')
}
