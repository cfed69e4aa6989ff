// Text in columns: each as wide as its widest cell, cut at the terminal's edge, with hidden characters shown.
import { escapeHidden, isRecord } from '../../../base/index.ts'
import { padWidth, takeWidth, textWidth } from './text-width.ts'

export function columns(rows: readonly (readonly string[])[], width: number): string[] {
  const widths = fitWidths(widestCells(rows), width)
  return rows.map(row => {
    // Empty cells at the end take no space.
    const last = row.findLastIndex(cell => textWidth(cell) > 0)
    const line = row
      .slice(0, last + 1)
      .map((cell, index) => (index === last ? cell : padWidth(cell, widths[index]!)))
      .join(GAP)
    return cut(line, width)
  })
}

const GAP = '  '
/** At least this much of the last column stays visible behind a wide one. */
const LEAST_SEEN = 12

function widestCells(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell))
  return widths
}

/**
 * Narrows the widest column until the last one is visible. A cell that is still too wide moves only the rest
 * of its own row.
 */
function fitWidths(widths: readonly number[], width: number): number[] {
  const before = widths.slice(0, -1)
  const seen = Math.min(LEAST_SEEN, widths.at(-1) ?? 0)
  const excess = before.reduce((sum, one) => sum + one + GAP.length, seen) - width
  if (excess <= 0) return [...widths]
  const widest = Math.max(...before)
  const narrowed = Math.max(MOST_NARROW, widest - excess)
  return widths.map((one, index) => (one === widest && index < before.length ? narrowed : one))
}

/** A text behind a label: wrapped at blanks, with each further line below the first word. */
export function hangingIndent(label: string, text: string, width: number): string {
  const length = textWidth(label)
  const room = Math.max(MOST_NARROW, width - length)
  return label + fold(text, room, '').replaceAll('\n', `\n${' '.repeat(length)}`)
}

const MOST_NARROW = 20
/**
 * A word with the blanks before it. Text that is there to be copied stays one piece: a command at the start
 * or after a colon, and anything between backticks.
 */
const PIECE = /(\s*)((?<=^ +|: )rye [^`]*$|[^\s`]*`[^`]*`\S*|\S+)/g

/** A line of text, wrapped if it is too long for the width. */
export function fold(line: string, width: number, indent = '  '): string {
  if (textWidth(line) <= width) return line
  const lines: string[] = []
  let current = ''
  for (const [whole, , piece] of line.matchAll(PIECE)) {
    if (current.trim() !== '' && textWidth(current + whole) > width) {
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

/** A duration for people. */
export function milliseconds(value: unknown): string {
  return typeof value === 'number' ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms` : ''
}

/** Cuts a line at the width, and marks the cut. */
export function cut(line: string, width: number): string {
  return textWidth(line) <= width ? line.trimEnd() : `${takeWidth(line, width - 1).trimEnd()}…`
}
