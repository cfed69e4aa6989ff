// The first paragraph of a Markdown text, or its first heading: the best substitute for a description.
import { findFences } from './fences.ts'

const MAX_CHARACTERS = 1024
const MAX_HEADING = 200

export interface Instead {
  readonly text: string
  /** Which of the two it is, for a message. */
  readonly from: 'paragraph' | 'heading'
}

/** Replaces a skill's missing description, the same for every reader. Undefined when the text has neither. */
export function descriptionInstead(body: string): Instead | undefined {
  const paragraph = firstParagraph(body)
  if (paragraph !== null) return { text: paragraph, from: 'paragraph' }
  const heading = firstHeading(body)
  return heading === null ? undefined : { text: heading, from: 'heading' }
}

/** On one line, without quote marks. Skips headings, code, tables, HTML and images. Null if there is none. */
export function firstParagraph(body: string): string | null {
  const words: string[] = []
  let isCode = false
  for (const line of body.slice(0, 20_000).split('\n')) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode && isProse(line)) {
      words.push(line.trim().replace(/^>[ \t]*/, ''))
      continue
    }
    if (words.length > 0) break
  }
  const text = words.join(' ').replace(/\s+/g, ' ').trim()
  return text === '' ? null : cut(text, MAX_CHARACTERS)
}

function cut(text: string, most: number): string {
  return [...text].slice(0, most).join('')
}

function isProse(line: string): boolean {
  return line.trim() !== '' && !/^ {0,3}(?:#|\||!\[|<|(?:[-*_] ?){3,}$)/.test(line)
}

/** The text of the first heading, if it comes before any code block. */
export function firstHeading(body: string): string | null {
  const [fence] = findFences(body, 0, 1)
  const code = fence?.start ?? body.length
  const heading = /^ {0,3}#{1,6}[ \t]+(\S[^\n]*)$/m.exec(body.slice(0, code))?.[1]
  // Cut before the trailing marks are searched for, since a line may be as long as its file.
  return heading === undefined
    ? null
    : cut(heading, MAX_HEADING)
        .trimEnd()
        .replace(/[ \t]+#+$/, '')
}
