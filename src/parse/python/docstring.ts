// Docstrings, cleaned as `inspect.cleandoc` cleans them.

import { readConstant } from './literal.ts'
import type { PythonStatement } from './module.ts'

/** The docstring that a block begins with. */
export function readDocstring(first: PythonStatement | undefined): string | undefined {
  if (first?.node.nodeType !== 'Expr' || first.node.value.nodeType !== 'Constant') return undefined
  const { value } = readConstant(first.node.value, first.source)
  return typeof value === 'string' ? cleanDocstring(value) : undefined
}

export function cleanDocstring(text: string): string {
  const lines = text.split('\n').map(expandTabs)
  let margin = Number.POSITIVE_INFINITY
  for (const line of lines.slice(1)) {
    const content = line.trimStart()
    if (content !== '') margin = Math.min(margin, line.length - content.length)
  }
  const clean = lines.map((line, index) => {
    if (index === 0) return line.trimStart()
    return margin === Number.POSITIVE_INFINITY ? line : line.slice(margin)
  })
  let from = 0
  let to = clean.length
  while (to > from && clean[to - 1] === '') to--
  while (from < to && clean[from] === '') from++
  return clean.slice(from, to).join('\n')
}

// Columns count code points, as in Python.
function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  let expanded = ''
  let column = 0
  for (const [index, part] of line.split('\t').entries()) {
    const blanks = index === 0 ? 0 : 8 - (column % 8)
    expanded += ' '.repeat(blanks) + part
    column += blanks + [...part].length
  }
  return expanded
}
