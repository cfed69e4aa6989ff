// Text in columns: as wide as its widest cell, cut at the terminal's edge, hidden characters shown.
import { escapeHidden } from '../../../base/index.ts'

export function columns(rows: readonly (readonly string[])[], width: number): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, visibleLength(cell))
  }
  return rows.map(row => {
    const line = row
      .map((cell, index) =>
        index === row.length - 1 ? cell : cell + ' '.repeat(widths[index]! - visibleLength(cell)),
      )
      .join('  ')
    return cut(line, width)
  })
}

/** A value of an answer as one line of text. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return escapeHidden(typeof value === 'string' ? value : JSON.stringify(value), { oneLine: true })
}

/** A duration as people read it. */
export function milliseconds(value: unknown): string {
  return typeof value === 'number' ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms` : ''
}

/** Colour codes take no room. */
function visibleLength(text: string): number {
  return text.replaceAll(/\u001b\[\d+m/g, '').length
}

function cut(line: string, width: number): string {
  if (visibleLength(line) <= width) return line.trimEnd()
  let seen = 0
  let kept = ''
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    if (part.startsWith('\u001b')) {
      kept += part
      continue
    }
    const room = Math.max(0, width - 1 - seen)
    kept += part.slice(0, room)
    seen += part.length
  }
  return `${kept.trimEnd()}…`
}
