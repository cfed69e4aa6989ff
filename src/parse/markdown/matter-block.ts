// Finds the front matter of a Markdown text. A `---` at the top may also be a plain rule: it opens front
// matter only if one of the lines below is `key: value`, if the keys are all indented alike, or if all of it
// is `{key: value}`. When the closing line was forgotten, the next rule in the text is not taken for it: the
// front matter ends with its keys, and everything after them is text.
import { quoteText } from '../../base/index.ts'
import { skipSignatureLine } from '../signature-line.ts'
import { type MatterLine, matterLines } from './matter-lines.ts'

export interface MatterBlock {
  /** The opening line. */
  readonly start: number
  readonly yaml: { readonly start: number; readonly end: number }
  /** Indentation of its top-level keys, usually empty. */
  readonly margin: string
  /** Where the body begins. */
  readonly end: number
  /** The line that closes it. Undefined when there is none; the front matter then ends with its keys. */
  readonly closing: number | undefined
  /** Whether blank lines came before it. */
  readonly blankLines: boolean
}

const KEY = /^["']?[\w.-]{1,100}["']?[ \t]*:(?:[ \t]|$)/m
const REQUIRED = /^(name|description)[ \t]*:/

/** Skips a signature line. Undefined when the text has no front matter. */
export function splitMatter(text: string, begin = skipSignatureLine(text)): MatterBlock | undefined {
  const start = firstText(text, begin)
  if (!isMark(text, start, '---')) return undefined
  const first = nextLine(text, start)
  const mark = findLine(text, first, line => isMark(text, line, '---') || isMark(text, line, '...'))
  const isClosed = mark !== undefined && !holdsText(text, first, mark)
  const last = isClosed ? mark : endOfKeys(text, first, mark ?? text.length)
  const closing = isClosed ? mark : indentedMark(text, first, last)
  const end = closing ?? last
  const content = text.slice(first, end)
  const isAtMargin = KEY.test(content)
  const margin = isAtMargin || closing === undefined ? '' : indentOf(content)
  if (!isAtMargin && margin === '' && !(closing !== undefined && isFlow(content))) return undefined
  return {
    start,
    yaml: { start: first, end },
    margin,
    end: closing === undefined ? end : nextLine(text, closing),
    closing,
    blankLines: start > begin,
  }
}

/** Says what a text without front matter has in its place. */
export function describeAbsence(text: string): string {
  const start = firstText(text, skipSignatureLine(text))
  if (!isMark(text, start, '---')) return 'expected front matter that begins with `---` on the first line'
  const [line = ''] = text.slice(nextLine(text, start)).trimStart().split('\n', 1)
  const kind = /^-(?:[ \t]|$)/.test(line) ? 'a list' : 'text'
  const found =
    line === '' || isMark(line, 0, '---') ? 'nothing' : `${kind}: ${quoteText(line.trimEnd(), 60)}`
  return `expected \`key: value\` lines after the first \`---\`, got ${found}; everything is read as text`
}

function firstText(text: string, begin: number): number {
  return begin + /^\s*/.exec(text.slice(begin, begin + 1000))![0].length
}

/** The indentation of the first line if that line is a key, as in a mapping that is indented as a whole. */
function indentOf(content: string): string {
  const first = content.split('\n').find(line => !/^[ \t]*(?:#|$)/.test(line)) ?? ''
  const indent = /^[ \t]*/.exec(first)![0]
  return KEY.test(first.slice(indent.length)) ? indent : ''
}

/** Whether all of it is one flow mapping. */
function isFlow(content: string): boolean {
  const mapping = content.trim()
  return mapping.startsWith('{') && mapping.endsWith('}') && mapping.includes(':')
}

/** Whether a line is just this mark, trailing blanks aside. */
function isMark(text: string, start: number, mark: string): boolean {
  return text.startsWith(mark, start) && text.slice(start, nextLine(text, start)).trimEnd() === mark
}

function nextLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.length : end + 1
}

function findLine(text: string, from: number, is: (line: number) => boolean): number | undefined {
  for (let line = from; line < text.length; line = nextLine(text, line)) if (is(line)) return line
  return undefined
}

/**
 * Whether there is a paragraph between the marks. Valid YAML can't contain one there, so whatever a strict
 * reader accepts is split the same way here. A stray line among the keys, or before `name` or `description`,
 * is only a mistake: the front matter still ends at the mark.
 */
function holdsText(text: string, from: number, to: number): boolean {
  if (/^\s*\{/.test(text.slice(from, to))) return false
  const given = new Set<string>()
  let isApart = true
  let isFound = false
  for (const { kind, content } of matterLines(text, { from, to })) {
    const required = kind === 'key' ? REQUIRED.exec(content)?.[1] : undefined
    if (isFound && required !== undefined && !given.has(required)) return false
    if (required !== undefined) given.add(required)
    if (kind === 'text' && isApart) isFound = true
    isApart = kind === 'blank' || kind === 'comment'
  }
  return isFound
}

/** An indented `---` before the end of the keys, which closes front matter that has no other closing line. */
function indentedMark(text: string, from: number, end: number): number | undefined {
  const found = findLine(text, from, line => line >= end || /^[ \t]+---$/.test(lineAt(text, line)))
  return found !== undefined && found < end ? found : undefined
}

function lineAt(text: string, start: number): string {
  return text.slice(start, nextLine(text, start)).trimEnd()
}

/** Where the keys end and the text begins, when there is no closing line. */
function endOfKeys(text: string, from: number, to: number): number {
  let last: MatterLine | undefined
  let key: MatterLine | undefined
  for (const line of matterLines(text, { from, to, isOpenEnded: true })) {
    const isApart = last === undefined || last.kind === 'blank'
    if (line.kind === 'text' || line.kind === 'pair') return line.start
    // A list item belongs to the front matter only below a key without a value.
    if (line.kind === 'item' && !(key && /:[ \t]*(?:#.*)?$/.test(key.content))) return line.start
    if (key && line.kind === 'comment' && (isApart || !KEY.test(lineAt(text, nextLine(text, line.start)))))
      return line.start // a heading
    // Fields are in lower case; `Note: ...` after a blank line is a sentence.
    if (key && line.kind === 'key' && isApart && !/^["']?[a-z_]/.test(line.content)) return line.start
    if (line.kind === 'key') key = line
    last = line
  }
  return to
}
