// What the answer says about the words of a query: patterns that stand for too many words, and words that do
// not occur.
import type { Leaf, Pattern } from '../match/compiled-query.ts'
import { isOpen, textOf } from '../match/patterns.ts'
import type { SearchAnswer } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'

/** Suggestions are made for this many words at most: each is compared with every word of the index. */
const MAX_UNKNOWN = 8
const MAX_SUGGESTIONS = 3

/** Patterns for which only the closest words were searched. */
export function cappedPatterns(spaces: readonly OpenSpace[], leaves: readonly Leaf[]): string[] {
  return distinctPatterns(leaves)
    .filter(isOpen)
    .filter(pattern => spaces.some(({ reader }) => reader.expand(pattern).capped))
    .map(textOf)
}

/** Words that no document has, with the nearest words that some have. */
export function unknownWords(spaces: readonly OpenSpace[], leaves: readonly Leaf[]): SearchAnswer['unknown'] {
  const words = distinctPatterns(leaves)
    .filter(pattern => !isOpen(pattern) && !spaces.some(({ reader }) => reader.hasMatch(pattern)))
    .map(textOf)
  return words.slice(0, MAX_UNKNOWN).map(word => {
    const near = spaces.flatMap(({ reader }) => reader.nearest(word))
    return { word, nearest: [...new Set(near)].slice(0, MAX_SUGGESTIONS) }
  })
}

function distinctPatterns(leaves: readonly Leaf[]): Pattern[] {
  const patterns = leaves.flatMap(leaf => leaf.slots)
  return [...new Map(patterns.map(pattern => [`${pattern.kind} ${textOf(pattern)}`, pattern])).values()]
}
