// The outline of a Markdown document: its title, its sections, and the first lines of its text.
import { findFences } from '../../../parse/index.ts'

export interface Outline {
  /** The first heading. */
  readonly title: string | undefined
  /** Every other heading, in order. */
  readonly sections: readonly string[]
}

const PREVIEW_LINES = 10
const PREVIEW_CHARACTERS = 500
const MAX_LOOK = 20_000
const MAX_SECTIONS = 1000
const MAX_HEADING = 300

export function readOutline(text: string): Outline {
  const headings: string[] = []
  let from = 0
  for (const fence of [...findFences(text), undefined]) {
    collectHeadings(text.slice(from, fence?.start ?? text.length), headings)
    if (!fence || headings.length > MAX_SECTIONS) break
    from = fence.end
  }
  const [title, ...sections] = headings
  return { title, sections: sections.slice(0, MAX_SECTIONS) }
}

/** The first lines of a text; a surrogate pair is never split. */
export function previewOf(body: string): string {
  const lines = body.slice(0, MAX_LOOK).split('\n', PREVIEW_LINES).join('\n').trim()
  return [...lines.slice(0, 2 * PREVIEW_CHARACTERS)].slice(0, PREVIEW_CHARACTERS).join('')
}

function collectHeadings(text: string, headings: string[]): void {
  let previous = ''
  for (const line of text.split('\n')) {
    const heading = atxHeading(line) ?? setextHeading(previous, line)
    if (heading !== undefined) headings.push(heading.slice(0, MAX_HEADING))
    previous = heading === undefined ? line : ''
  }
}

function atxHeading(line: string): string | undefined {
  const opening = /^ {0,3}#{1,6}(?=[ \t]|$)/.exec(line)
  if (!opening) return undefined
  const content = line.slice(opening[0].length).trim()
  let end = content.length
  while (end > 0 && content[end - 1] === '#') end--
  // Closing marks follow a space, or are the whole content.
  const isClosed = end === 0 || content[end - 1] === ' ' || content[end - 1] === '\t'
  return (isClosed ? content.slice(0, end).trimEnd() : content) || undefined
}

function setextHeading(previous: string, line: string): string | undefined {
  if (!/^ {0,3}(?:=+|-+)[ \t]*$/.test(line) || previous.trim() === '') return undefined
  // A rule below a quote, a list, a table or indented code is not an underline.
  return /^ {4}|^\t|^ {0,3}(?:[>|#]|[-*+][ \t]|\d{1,9}[.)][ \t])/.test(previous) || previous.includes('|')
    ? undefined
    : previous.trim()
}
