// Verdicts as words, and the answers of `sign`, `verify` and `merge`.
import { isRecord } from '../../../base/index.ts'
import type { Style } from '../terminal.ts'
import { cell, columns, records } from './columns.ts'
import type { Renderer } from './renderer.ts'
import { warningLines } from './warnings.ts'

/** A verdict as one coloured word. */
export function trustMark(verdict: unknown, style: Style): string {
  const status = isRecord(verdict) ? cell(verdict.status) : cell(verdict)
  if (status === 'verified')
    return `${style.green('✓ verified')}${olderMark(verdict, style)}${agentMark(verdict, style)}`
  if (status === '') return ''
  return status === 'unsigned' ? style.yellow('! unsigned') : style.red(`✗ ${status}`)
}

/** No person has signed it, so it does not run with anything that a person gave to another item. */
function agentMark(verdict: unknown, style: Style): string {
  return isRecord(verdict) && verdict.by_agent === true ? style.yellow(' ! by an agent') : ''
}

/** Names the newer version that was used before, if there is one. */
function olderMark(verdict: unknown, style: Style): string {
  const from = isRecord(verdict) && isRecord(verdict.rolled_back_from) ? verdict.rolled_back_from : undefined
  if (!from) return ''
  const version = from.version === undefined ? 'one' : cell(from.version)
  return style.yellow(` ! older than ${version} of ${cell(from.timestamp)}`)
}

export const renderSign: Renderer = (answer, terminal) => {
  const { style } = terminal
  if (!Array.isArray(answer.signed)) {
    return [
      `${style.green('✓')} ${answer.unchanged === true ? 'signed already, and unchanged:' : 'signed'} ${style.bold(cell(answer.item_id))}  ${style.dim(cell(answer.path))}`,
      ...warningLines(answer.warnings, style),
    ].join('\n')
  }
  const failed = Array.isArray(answer.failed) ? answer.failed.filter(isRecord) : []
  return [
    ...answer.signed.map(id => `${style.green('✓')} ${cell(id)}`),
    ...failed.flatMap(entry => [
      `${style.red('✗')} ${cell(entry.item)}: ${cell(entry.error)}`,
      ...(Array.isArray(entry.details) ? entry.details.map(issue => `    - ${cell(issue)}`) : []),
      ...(entry.hint === undefined ? [] : [`    hint: ${cell(entry.hint)}`]),
    ]),
    ...records(answer.warnings).flatMap(({ item, warnings }) =>
      (Array.isArray(warnings) ? warnings : []).map(warning =>
        style.yellow(`  warning: ${cell(item)}: ${cell(warning)}`),
      ),
    ),
    ...records(answer.left_out).map(({ path, reason }) =>
      style.yellow(`  not signed: ${cell(path)}: ${cell(reason)}`),
    ),
    ...(Array.isArray(answer.saw) ? answer.saw.filter(isRecord) : []).flatMap(entry => [
      `${style.yellow('!')} reviewed: ${cell(entry.item)}`,
      ...(Array.isArray(entry.seen) ? entry.seen.map(line => `    ${cell(line)}`) : []),
    ]),
    cell(answer.summary),
    ...(answer.warning === undefined ? [] : [style.yellow(`warning: ${cell(answer.warning)}`)]),
  ].join('\n')
}

export const renderVerify: Renderer = (answer, terminal) => {
  const { style } = terminal
  const items = Array.isArray(answer.items) ? answer.items.filter(isRecord) : []
  const rows = items.map(item => [
    trustMark(item, style),
    `${cell(item.item_type)}:${cell(item.item_id)}`,
    style.dim([cell(item.format), cell(item.signer)].filter(Boolean).join(' ')),
    cell(item.reason),
  ])
  const counts = isRecord(answer.counts) ? answer.counts : {}
  const summary = Object.entries(counts)
    .filter(([, count]) => count !== 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ')
  return [...columns(rows, terminal.columns), '', summary || 'nothing to verify'].join('\n')
}

/** Git shows this between its own lines. */
export const renderMerge: Renderer = (answer, { style }) => {
  const what = cell(answer.item_id === undefined ? answer.path : `${answer.item_type}:${answer.item_id}`)
  if (answer.status === 'merged')
    return `${style.green('✓')} merged${answer.signed ? ' and signed' : ''}: ${what}`
  return `${style.yellow('!')} ${what}: ${cell(answer.reason)}`
}
