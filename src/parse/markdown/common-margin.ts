// Front matter that is indented as a whole is YAML as it stands. Where it is not, entries are told by where they begin, so it is
// read as if it stood at the margin, and the places of what is found are moved back.
import type { Diagnostic } from '../../base/index.ts'

interface Span {
  readonly start: number
  readonly end: number
}

export interface AtMargin {
  readonly text: string
  readonly span: Span
  /** The diagnostic where it is in the text as written. */
  toWritten(diagnostic: Diagnostic): Diagnostic
}

/** Undefined where some line of the part begins at the margin. */
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

/** Spaces: with a tab, it is no YAML. A blank line has no margin. */
function indentOf(line: string): number {
  return line.trim() === '' ? Number.POSITIVE_INFINITY : /^ */.exec(line)![0].length
}
