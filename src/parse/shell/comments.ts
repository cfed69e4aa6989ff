// `shell/comments`: shell tools. Metadata is in the leading comment lines, under the names of a Python tool:
//   # __version__ = "1.0.0"
//   # CONFIG_SCHEMA = {"type": "object",
//   #   "properties": {}}
// A value is JSON and may span several comment lines. The first plain comment paragraph is the docstring.
import type { JsonValue } from '../../base/index.ts'
import {
  CODE_FIELDS,
  isMetadataName,
  type LineRange,
  withoutLines,
  withoutSignature,
} from '../code-fields.ts'
import { readJson } from '../json/read-json.ts'
import { createMetadata, toJson } from '../metadata.ts'
import { createReport, type Report } from '../report.ts'
import { isSignatureLine } from '../signature-line.ts'
import type { Parser } from '../types.ts'

/** Metadata further down is not read. */
const MAX_LINES = 1_000
/** `tags = ...` may begin a sentence. Only so many are tried as values: each may read all that follows. */
const MAX_SENTENCES = 10

interface CommentLine {
  readonly number: number
  /** Without `#` and one space. */
  readonly text: string
  /** Where that text begins in the file. */
  readonly offset: number
  /** Where it begins in the header: all comment texts joined by line feeds. */
  readonly start: number
}

export const shellComments: Parser = {
  name: 'shell/comments',
  parse({ text }) {
    const report = createReport(text)
    const metadata = createMetadata()
    const lines = leadingComments(text)
    const header = lines.map(line => line.text).join('\n')
    const paragraph: string[] = []
    const metadataLines: LineRange[] = []
    let isParagraphOver = false
    let sentences = 0
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index]!
      const assignment = /^([A-Za-z_]+)[ \t]*=[ \t]*/.exec(line.text)
      const name = assignment?.[1] ?? ''
      const isField = CODE_FIELDS.has(name)
      const isOther = !isField && isMetadataName(name) && sentences < MAX_SENTENCES
      const read =
        assignment && (isField || isOther) && readValue(header, line.start + assignment[0].length, report)
      if (isOther && read && read.problem !== undefined) sentences++
      if (read && (isField || read.problem === undefined)) {
        const { value, end, problem } = read
        const field = CODE_FIELDS.get(name) ?? name
        while (index + 1 < lines.length && lines[index + 1]!.start <= end) index++
        const last = lines[index]!
        if (problem !== undefined) {
          report.error('shell-value', problem, last.offset + end - last.start)
          // If the value broke off at the start of a line, that line may be the next assignment.
          if (end === last.start) index--
        } else if (value !== undefined) metadata[field] = value
        metadataLines.push({ first: line.number, last: lines[index]!.number })
      } else if (line.text.trim() !== '' && !isParagraphOver) {
        paragraph.push(line.text.trimEnd())
        continue
      }
      if (paragraph.length > 0) isParagraphOver = true
    }
    if (Object.keys(metadata).length === 0) {
      report.warning('metadata-missing', 'expected comment lines such as `# __version__ = "1.0.0"`', 0)
    }
    if (paragraph.length > 0) metadata.docstring = paragraph.join('\n')
    return {
      metadata,
      body: withoutSignature(text),
      prose: withoutLines(text, metadataLines),
      diagnostics: report.diagnostics,
    }
  },
}

/** The comment and blank lines at the top, without the `#!` line and the signature. */
function leadingComments(text: string): CommentLine[] {
  const lines: CommentLine[] = []
  let start = 0
  for (let offset = 0, number = 1; offset < text.length && lines.length < MAX_LINES; number++) {
    const end = text.indexOf('\n', offset)
    const line = text.slice(offset, end === -1 ? text.length : end)
    if (line.trim() !== '' && !line.startsWith('#')) break
    if (!line.startsWith('#!') && !isSignatureLine(line)) {
      const mark = /^# ?/.exec(line)?.[0].length ?? 0
      lines.push({ number, text: line.slice(mark), offset: offset + mark, start })
      start += line.length - mark + 1
    }
    offset += line.length + 1
  }
  return lines
}

interface Value {
  readonly value?: JsonValue
  /** In the header: where the value ends, or where it goes wrong. */
  readonly end: number
  readonly problem?: string
}

/** Reads JSON or, as in Python, a string in single quotes or `None`. */
function readValue(header: string, start: number, report: Report): Value {
  const python = /None|'[^'\\\n]*'/y
  python.lastIndex = start
  const word = python.exec(header)?.[0]
  if (word === 'None') return { value: null, end: start + word.length }
  if (word !== undefined) return { value: word.slice(1, -1), end: start + word.length }

  const { value, end, problem, duplicates } = readJson(header, start)
  if (problem !== undefined) return { end, problem }
  if (duplicates.length > 0) {
    return { end: duplicates[0]!.offset, problem: `the key \`${duplicates[0]!.key}\` is given twice` }
  }
  const copy = toJson(value, report.at(0))
  return copy === undefined ? { end } : { value: copy, end }
}
