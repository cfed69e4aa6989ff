// The answers of `rye keys`.
import { escapeHidden, isRecord } from '../../../base/index.ts'
import type { Style } from '../terminal.ts'
import { cell, columns, records } from './columns.ts'
import type { Renderer } from './renderer.ts'

const FACTS = ['fingerprint', 'words', 'previous', 'owner', 'reason', 'path', 'identity', 'out']

export const renderKeys: Renderer = (answer, terminal) => {
  const { style } = terminal
  const lines: string[] = []
  if (answer.message) lines.push(`${style.green('✓')} ${cell(answer.message)}`)
  const label = (name: string) => style.dim(name.padEnd(12))
  for (const name of FACTS) if (cell(answer[name]) !== '') lines.push(`${label(name)} ${cell(answer[name])}`)
  if (answer.public_key !== undefined)
    lines.push(`${label('public_key')} ${escapeHidden(String(answer.public_key))}`)
  lines.push(...signedAgain(answer, style))
  if (Array.isArray(answer.keys)) {
    const rows = [...records(answer.keys), ...records(answer.revoked)].map(key => keyRow(key, style))
    lines.push(
      ...(rows.length > 0
        ? columns(rows, terminal.columns)
        : ['no trusted keys; make one with `rye keys generate`']),
    )
    for (const { path, reason } of records(answer.faults))
      lines.push(style.red(`not used: ${cell(path)}: ${cell(reason)}`))
  }
  return lines.join('\n')
}

/**
 * Prints only the document, so that it can be redirected to a file; a document contains no hidden characters.
 */
export const renderExport: Renderer = (answer, terminal) =>
  answer.out === undefined
    ? escapeHidden(String(answer.document)).trimEnd()
    : `${terminal.style.green('✓')} wrote ${cell(answer.fingerprint)} of ${cell(answer.owner)} to ${cell(answer.out)}`

function keyRow(key: Record<string, unknown>, style: Style): string[] {
  const isRevoked = key.signed !== undefined
  const who = isRevoked ? style.red('revoked') : `${cell(key.owner)}${key.own ? ' (you)' : ''}`
  const bounds = isRecord(key.bounds) ? key.bounds : {}
  const what = [
    ...(isRevoked ? [cell(key.reason)] : []),
    ...listOf('for', bounds.for),
    ...listOf('in', bounds.project),
    ...(bounds.until === undefined ? [] : [`until ${cell(bounds.until)}`]),
    ...(key.expired ? [style.red('expired')] : []),
  ]
  return [style.bold(cell(key.fingerprint)), who, what.join(', '), style.dim(cell(key.path))]
}

function listOf(word: string, value: unknown): string[] {
  return Array.isArray(value) ? [`${word} ${value.map(cell).join(' ')}`] : []
}

function signedAgain({ signed, failed }: Record<string, unknown>, style: Style): string[] {
  const again = Array.isArray(signed) ? signed.map(item => `${style.green('✓')} signed ${cell(item)}`) : []
  const left = records(failed).map(
    ({ item, error }) => `${style.red('✗')} not signed again: ${cell(item)}: ${cell(error)}`,
  )
  return [...again, ...left]
}
