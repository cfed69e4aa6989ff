// Replaces an exact piece of text in a file of the project. The file is handled as bytes, one character for each, so that all others
// stay as they are.
import { failure, find, Refused, readBytes, withFile } from './_inside.ts'
import { replaceFile } from './_replace.ts'
import { findSimilar } from './_similar.ts'

export const __version__ = '1.1.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'rye/file-system'
export const __tool_description__ =
  'Edit a file of the project: replace an exact piece of text, once or wherever it occurs'

export const tags = ['file', 'edit', 'change', 'modify', 'replace', 'substitute', 'update', 'patch']

export const CONFIG = { timeout: 30, permissions: { network: false } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    file_path: {
      type: 'string',
      minLength: 1,
      description: 'File to change, relative to the project or absolute inside it',
    },
    old_string: {
      type: 'string',
      minLength: 1,
      description:
        'The text to replace, exactly as it stands in the file, with enough around it to occur once',
    },
    new_string: { type: 'string', description: 'What to put in its place; empty removes it' },
    replace_all: { type: 'boolean', default: false, description: 'Replace every occurrence' },
  },
  required: ['file_path', 'old_string', 'new_string'],
  additionalProperties: false,
}

const MOST_BYTES = 10_000_000
const MOST_LISTED = 10
const MOST_COMPARED = 5000

interface Parameters {
  readonly file_path: string
  readonly old_string: string
  readonly new_string: string
  readonly replace_all?: boolean
}

/** Answers with the number of replacements and the lines around the first. */
export function execute(params: Parameters, projectPath: string): object {
  const { file_path: name, old_string, new_string, replace_all = false } = params
  try {
    if (/\p{Surrogate}/u.test(old_string + new_string))
      throw new Refused('old_string or new_string holds half a surrogate pair, which is no text')
    const place = find(projectPath, name, { changes: true })
    const { known, text } = withFile(place, (file, seen) => {
      if (seen.size > MOST_BYTES)
        throw new Refused(`expected a file of at most ${MOST_BYTES} bytes, got ${seen.size}`)
      return { known: seen, text: readBytes(file, seen.size).toString('latin1') }
    })
    const [wanted, replacement] = fitLineEnds(text, toBytes(old_string), toBytes(new_string))
    if (wanted === replacement)
      throw new Refused('old_string and new_string are the same: nothing would change')
    const parts = text.split(wanted)
    const count = parts.length - 1
    if (count === 0) throw new Refused(explainAbsence(text, wanted))
    if (count > 1 && !replace_all) {
      const lines = linesOf(parts, wanted).join(', ')
      throw new Refused(
        `old_string occurs ${count} times, at lines ${lines}: give more text around it, or set replace_all`,
      )
    }
    const changed = parts.join(replacement)
    replaceFile(place, Buffer.from(changed, 'latin1'), known)
    return {
      success: true,
      file_path: place.steps.join('/'),
      replacements: count,
      ...excerpt(changed, parts[0]!.length, replacement),
    }
  } catch (thrown) {
    return failure(thrown, name)
  }
}

/** A character for each byte. */
function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** In a file whose lines end in CRLF, a text given with LF means CRLF. */
function fitLineEnds(text: string, wanted: string, replacement: string): [string, string] {
  if (text.includes(wanted) || !text.includes('\r\n') || wanted.includes('\r')) return [wanted, replacement]
  return [wanted.replaceAll('\n', '\r\n'), replacement.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')]
}

/** Numbers of the lines where the first occurrences begin, which is after each part. */
function linesOf(parts: readonly string[], wanted: string): number[] {
  const within = countLines(wanted)
  let line = 1
  return parts
    .slice(0, -1)
    .slice(0, MOST_LISTED)
    .map((part, index) => {
      line += countLines(part) + (index === 0 ? 0 : within)
      return line
    })
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Says where the text nearly is: with other blanks, or a line much like its first. */
function explainAbsence(text: string, wanted: string): string {
  const sought = wordsOfLines(wanted)
  const present = wordsOfLines(text)
  const fits = (start: number) => sought.every(({ words }, index) => present[start + index]?.words === words)
  const start = sought.length === 0 ? -1 : present.findIndex((_, index) => fits(index))
  if (start !== -1)
    return `old_string is not in the file; with other blanks or line ends it is at line ${present[start]!.number}`
  const first = sought[0]
  if (first !== undefined) {
    const shorten = (words: string) => toText(words).slice(0, 200)
    const lines = new Map(
      present.slice(0, MOST_COMPARED).map(({ words, number }) => [shorten(words), number]),
    )
    const [near] = findSimilar(shorten(first.words), lines.keys(), 1, 0.7)
    if (near !== undefined)
      return `old_string is not in the file; line ${lines.get(near)} is much like its first line: \`${near}\``
  }
  return 'old_string is not in the file: read the file again and copy the text exactly'
}

/** The lines that are not blank, with one blank between words. */
function wordsOfLines(text: string): { words: string; number: number }[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, index) => {
    const words = line
      .split(/[ \t\v\f]+/)
      .filter(word => word !== '')
      .join(' ')
    return words === '' ? [] : [{ words, number: index + 1 }]
  })
}

/** The changed lines with two lines around them. */
function excerpt(text: string, at: number, replacement: string): object {
  const first = countLines(text.slice(0, at))
  const last = first + Math.min(countLines(replacement), 20)
  const start = Math.max(0, first - 2)
  const shown = text.split('\n').slice(start, last + 3)
  const isEnd = start + shown.length > countLines(text)
  return { first_line: start + 1, excerpt: toText(shown.join('\n') + (isEnd ? '' : '\n')).slice(0, 4000) }
}
