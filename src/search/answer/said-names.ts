// Names that a question mentions: `the frontend design skill`, `how do I wrap a command`, `use mcp-builder
// for this`.
import { lazy } from '../../base/index.ts'
import { nameKey } from '../text/name-key.ts'
import { isStopWord } from '../text/stop-words.ts'

/** Words around the subject of a question that may be part of a name, such as the last one of `log in to`. */
const MARGIN = 3
const MAX_WORDS = 16
/**
 * A name inside a longer question must have several significant words, and at least half of those in the
 * question.
 */
const MIN_SIGNIFICANT = 2
const MIN_SHARE = 0.5

/**
 * Keys of names that the words of a question may be, apart from stop words such as `how` and the words in
 * `ignored`.
 */
export function saidNames(text: string, ignored: ReadonlySet<string>): Set<string> {
  const words = nameKey(text).split(' ')
  const isSignificant = (word: string) => !isStopWord(word) && !ignored.has(word)
  const keys = new Set(joinedNames(text))
  const first = words.findIndex(isSignificant)
  const last = words.findLastIndex(isSignificant)
  if (first === -1) return keys
  for (let from = Math.max(0, first - MARGIN); from <= first; from++) {
    for (let to = last; to <= Math.min(words.length - 1, last + MARGIN); to++) {
      keys.add(words.slice(from, to + 1).join(' '))
    }
  }
  const total = words.filter(isSignificant).length
  if (words.length > MAX_WORDS) return keys
  for (let from = 0; from < words.length; from++) {
    for (let to = from + MIN_SIGNIFICANT; to <= words.length; to++) {
      const run = words.slice(from, to)
      const count = run.filter(isSignificant).length
      if (count >= MIN_SIGNIFICANT && count >= total * MIN_SHARE) keys.add(run.join(' '))
    }
  }
  return keys
}

const MAX_JOINED = 16
/** `mcp-builder`, `read_file`, `readFile`: nobody writes these by chance. */
const joined = lazy(() => /[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)+|\p{Ll}+(?:\p{Lu}\p{Ll}+)+/gu)
/** Most questions have none. This test comes first, because Unicode classes take milliseconds to compile. */
const MAY_BE_JOINED = /[^ -~]|[-_]|[a-z][A-Z]/
/** With one of these at its end it is ordinary English: `check-in`, `follow-up`. */
const PARTICLES = new Set('away back by down in off on out over through to up'.split(' '))

function joinedNames(text: string): string[] {
  if (!MAY_BE_JOINED.test(text)) return []
  const isName = (key: string) => !PARTICLES.has(key.slice(key.lastIndexOf(' ') + 1))
  return (text.match(joined()) ?? []).slice(0, MAX_JOINED).map(nameKey).filter(isName)
}
