import { isRecord } from '../../../base/index.ts'
import { cell, columns } from './columns.ts'
import type { Renderer } from './renderer.ts'

export const renderKeys: Renderer = (answer, terminal) => {
  const { style } = terminal
  const lines: string[] = []
  if (answer.message) lines.push(`${style.green('✓')} ${cell(answer.message)}`)
  for (const key of ['fingerprint', 'owner', 'path', 'identity', 'public_key']) {
    if (answer[key] !== undefined) lines.push(`${style.dim(key.padEnd(12))} ${String(answer[key])}`)
  }
  if (Array.isArray(answer.keys)) {
    const rows = answer.keys
      .filter(isRecord)
      .map(key => [style.bold(cell(key.fingerprint)), cell(key.owner), style.dim(cell(key.path))])
    lines.push(
      ...(rows.length > 0
        ? columns(rows, terminal.columns)
        : ['no trusted keys; make one with `rye keys generate`']),
    )
  }
  return lines.join('\n')
}
