// Text in columns: as wide as its widest cell, cut at the terminal's edge, hidden characters shown.
import { escapeHidden, isRecord } from '../../../base/index.ts'

export function columns(rows: readonly (readonly string[])[], width: number): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, visibleLength(cell))
  }
  return rows.map(row => {
    // Empty cells at the end take no room.
    const last = row.findLastIndex(cell => visibleLength(cell) > 0)
    const line = row
      .slice(0, last + 1)
      .map((cell, index) => (index === last ? cell : cell + ' '.repeat(widths[index]! - visibleLength(cell))))
      .join('  ')
    return cut(line, width)
  })
}

/** A text behind a label: broken at blanks, each further line below the first word. */
export function hangingIndent(label: string, text: string, width: number): string {
  const length = visibleLength(label)
  const room = Math.max(MOST_NARROW, width - length)
  return label + fold(text, room, '').replaceAll('\n', `\n${' '.repeat(length)}`)
}

const MOST_NARROW = 20
/** A piece with the blanks before it. What is to be copied is one piece: a command at the start or behind a colon, and what is between backticks. */
const PIECE = /(\s*)((?<=^ +|: )rye [^`]*$|[^\s`]*`[^`]*`\S*|\S+)/g

/** A line of text, broken where it is too long for the width. */
export function fold(line: string, width: number, indent = '  '): string {
  if (visibleLength(line) <= width) return line
  const lines: string[] = []
  let current = ''
  for (const [whole, , piece] of line.matchAll(PIECE)) {
    if (current.trim() !== '' && visibleLength(current + whole) > width) {
      lines.push(current)
      current = indent + piece!
    } else current += whole
  }
  return [...lines, current].join('\n')
}

/** A value of an answer as one line of text. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return escapeHidden(text.replaceAll(/[ \t]*\r?\n[ \t]*/g, ' '), { oneLine: true })
}

/** The objects of a list in an answer. */
export function records(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** `1 item`, `2 items`. */
export function count(amount: unknown, noun: string): string {
  return `${cell(amount)} ${noun}${amount === 1 ? '' : 's'}`
}

/** A duration as people read it. */
export function milliseconds(value: unknown): string {
  return typeof value === 'number' ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms` : ''
}

/** Colour codes take no room. */
function visibleLength(text: string): number {
  return text.replaceAll(/\u001b\[\d+m/g, '').length
}

/** A line as wide as the terminal, with a sign where it was cut. */
export function cut(line: string, width: number): string {
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
