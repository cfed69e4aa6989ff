// The id grammar. An id becomes a path, so one that does not match is refused before any file is touched.
import { AppError, quoteText } from '../base/index.ts'

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/
const MAX_LENGTH = 255
const ALLOWED = 'expected `A-Z`, `a-z`, `0-9`, `_`, `.` and `-`, and one of the first four at its beginning'

/** Why a text is not an id, or undefined when it is one. */
export function idProblem(id: unknown): string | undefined {
  if (typeof id !== 'string') return `expected a string, got ${id === null ? 'null' : typeof id}`
  if (id === '') return 'expected an id, got an empty string'
  if (id.length > MAX_LENGTH) return `expected at most ${MAX_LENGTH} characters, got ${id.length}`
  for (const segment of id.split('/')) {
    if (segment === '') return 'expected segments joined by single slashes, got an empty segment'
    if (!SEGMENT.test(segment)) return `segment ${quoteText(segment)} is not allowed: ${ALLOWED}`
  }
  return undefined
}

/** Returns the id, or throws `INVALID_ID`. */
export function checkId(id: unknown): string {
  const problem = idProblem(id)
  if (problem === undefined) return id as string
  const shown = typeof id === 'string' ? ` ${quoteText(id)}` : ''
  throw new AppError('INVALID_ID', `invalid item id${shown}: ${problem}`, {
    hint: 'an id is a path below its type folder without extension, such as `rye/file-system/write`',
  })
}

/** The last segment of an id: `rye/file-system/write` → `write`. */
export function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1)
}

/** The directory part of an id, or an empty string: `rye/file-system/write` → `rye/file-system`. */
export function categoryOf(id: string): string {
  const slash = id.lastIndexOf('/')
  return slash === -1 ? '' : id.slice(0, slash)
}

/** A category as a person may type it, without the slash at its end: `rye/` → `rye`. */
export function bareCategory(text: string): string {
  return text.replace(/(?<=[^/])\/+$/, '')
}
