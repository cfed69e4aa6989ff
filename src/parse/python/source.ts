// A part of a Python source, and how the parser's positions (one-based lines, UTF-8 byte columns) map to
// offsets, lines and UTF-16 columns. It knows the line of the file where it begins.
import type { Located } from 'py-ast'

export interface Position {
  readonly line: number
  readonly column: number
}

export interface PythonSource {
  /** The exact text of a node. */
  slice(node: Span): string
  /** Converts a position of the parser to one in the file. */
  position(line: number, byteColumn: number): Position
}

type Span = Pick<Located, 'lineno' | 'col_offset' | 'end_lineno' | 'end_col_offset'>

export function createSource(text: string, firstLine = 1): PythonSource {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)

  let isAscii: boolean | undefined
  // Counted once per line, not per node: a line may be as long as the file and hold a hundred thousand nodes.
  const columns = new Map<number, readonly number[]>()

  const offsetOf = (line: number, byteColumn: number): number => {
    const start = starts[Math.min(line, starts.length) - 1] ?? 0
    const end = starts[line] ?? text.length
    isAscii ??= !/[^\0-\x7f]/.test(text)
    if (isAscii) return Math.min(start + byteColumn, end)
    const offsets = columns.get(start) ?? byteOffsets(text, start, end)
    columns.set(start, offsets)
    return offsets[byteColumn] ?? end
  }

  return {
    slice: node =>
      text.slice(
        offsetOf(node.lineno, node.col_offset),
        offsetOf(node.end_lineno ?? node.lineno, node.end_col_offset ?? node.col_offset),
      ),
    position: (line, byteColumn) => {
      const known = Math.max(1, Math.min(line, starts.length))
      return { line: known + firstLine - 1, column: offsetOf(known, byteColumn) - starts[known - 1]! + 1 }
    },
  }
}

/** For each UTF-8 byte of a part, and for its end: the offset of the character that begins there or later. */
function byteOffsets(text: string, start: number, end: number): number[] {
  const offsets = [start]
  for (let offset = start; offset < end; ) {
    const code = text.codePointAt(offset)!
    offset += code < 0x10000 ? 1 : 2
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    for (let count = 0; count < bytes; count++) offsets.push(offset)
  }
  return offsets
}
