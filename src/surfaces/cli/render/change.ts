// Items that were edited, moved or removed: what was done, and what else it affects.
import type { Style } from '../terminal.ts'
import { cell, count, records } from './columns.ts'
import type { Renderer } from './renderer.ts'
import { warningLines } from './warnings.ts'

export const renderEdit: Renderer = (answer, { style }) => {
  const name = style.bold(`${cell(answer.item_type)}:${cell(answer.item_id)}`)
  if (answer.status === 'unchanged') return `${name} is unchanged`
  const diff = Array.isArray(answer.diff) ? answer.diff.map(cell) : []
  return [
    ...diff.map(line =>
      line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line,
    ),
    `${style.green('✓')} edited${answer.signed ? ' and signed' : ''}: ${name}  ${style.dim(cell(answer.path))}`,
    ...warningLines(answer.warnings, style),
  ].join('\n')
}

export const renderMv: Renderer = (answer, { style }) =>
  [
    `${style.green('✓')} moved${answer.signed ? ' and signed' : ', not signed'}: ${cell(answer.from)} is now ${style.bold(`${cell(answer.item_type)}:${cell(answer.item_id)}`)}`,
    ...warningLines(answer.warnings, style),
    ...referrerLines(answer.referred_by, 'still mentions the old id', style),
  ].join('\n')

export const renderRm: Renderer = (answer, { style }) =>
  [
    `${style.green('✓')} removed ${style.bold(`${cell(answer.item_type)}:${cell(answer.item_id)}`)}  ${style.dim(cell(answer.path))}`,
    `  kept at ${cell(answer.kept_at)}`,
    ...referrerLines(answer.referred_by, 'mentions it', style),
    ...records(answer.helpers).map(({ path, also_used_by }) => {
      const others = Array.isArray(also_used_by) && also_used_by.length > 0
      const use = others
        ? `, and ${count(also_used_by.length, 'other file')} use${also_used_by.length === 1 ? 's' : ''}`
        : ''
      return `  it used ${cell(path)}${use ? `${use} it, too` : ', which nothing else in the folder uses'}`
    }),
    ...(Array.isArray(answer.uncovers) && answer.uncovers.length > 0
      ? [style.yellow(`  the item of this id in the ${cell(answer.uncovers[0])} space is used from now on`)]
      : []),
  ].join('\n')

function referrerLines(referrers: unknown, what: string, style: Style): string[] {
  return records(referrers).map(
    ({ item, path, line }) => `  ${style.yellow('!')} ${cell(item)} ${what}: ${cell(path)}:${cell(line)}`,
  )
}
