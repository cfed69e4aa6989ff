// Front matter that is indented as a whole may be valid YAML. When it isn't, it is read entry by entry, and
// entries are recognised by starting at the margin. So the common indentation is removed first, and the
// positions of diagnostics are moved back afterwards.
import type { Diagnostic } from '../../base/index.ts'

interface Span {
  readonly start: number
  readonly end: number
}

export interface AtMargin {
  readonly text: string
  readonly span: Span
  /** Moves a diagnostic to its position in the text as written. */
  toWritten(diagnostic: Diagnostic): Diagnostic
}

/** Undefined when a line of the span begins at the margin, or all lines are blank. */
export function moveToMargin(text: string, { start, end }: Span): AtMargin | undefined {
  const lines = text.slice(start, end).split('\n')
  const margin = lines.reduce((least, line) => Math.min(least, indentOf(line)), Number.POSITIVE_INFINITY)
  if (margin === 0 || margin === Number.POSITIVE_INFINITY) return undefined
  const moved = lines.map(line => (line.trim() === '' ? line.trimStart() : line.slice(margin))).join('\n')
  const firstLine = text.slice(0, start).split('\n').length
  return {
    text: text.slice(0, start) + moved + text.slice(end),
    span: { start, end: start + moved.length },
    toWritten: diagnostic => {
      const isInside = diagnostic.line >= firstLine && lines[diagnostic.line - firstLine]?.trim()
      return isInside ? { ...diagnostic, column: diagnostic.column + margin } : diagnostic
    },
  }
}

/** Counts only spaces, since YAML allows no tabs here. Infinite for a blank line, which does not count. */
function indentOf(line: string): number {
  return line.trim() === '' ? Number.POSITIVE_INFINITY : /^ */.exec(line)![0].length
}
