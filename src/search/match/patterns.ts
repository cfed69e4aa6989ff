// Patterns for the words of a query, and how many words an open pattern (a wildcard or a fuzzy word) may
// stand for.
import { lazy } from '../../base/index.ts'
import { stem } from '../text/porter.ts'
import type { Leaf, Pattern } from './compiled-query.ts'
import { EXPANSION_CAP } from './lexicon.ts'
import { splitTerm } from './term-words.ts'

export function wordPatterns(words: readonly string[]): Pattern[] {
  return words.map(word => ({ kind: 'word', word }))
}

/** What separates words and is not a joint of a compound. */
const ASCII_GAP = /[^0-9A-Za-z*_.-]+/
const JOINTS = '_.-'
const gap = lazy(() => /[^\p{L}\p{N}\p{M}*_.-]+/u)

/**
 * One slot for each word: `some/pa*` is `some`, then `pa*`. Punctuation at the ends (`pa*?`), and stars
 * alone, are ignored.
 */
export function wildcardPatterns(pattern: string): Pattern[] {
  const isAscii = /^[\0-\x7f]*$/.test(pattern)
  return pattern.split(isAscii ? ASCII_GAP : gap()).flatMap(piece => {
    const { words } = splitTerm(piece.replaceAll('*', ''))
    if (words.length === 0) return []
    // In a script without spaces each character is a word, and any word may be followed by another: a star
    // adds nothing.
    const isUnspaced = words.length > piece.split(/[*_.-]+/).filter(Boolean).length
    return isUnspaced || !piece.includes('*') ? wordPatterns(words) : [wildcardPattern(piece)]
  })
}

/** Leaves out joints at the ends, which join nothing. */
function wildcardPattern(piece: string): Pattern {
  let [start, end] = [0, piece.length]
  while (JOINTS.includes(piece[start]!)) start++
  while (JOINTS.includes(piece[end - 1]!)) end--
  return { kind: 'wildcard', pattern: piece.slice(start, end), most: EXPANSION_CAP.wildcard }
}

/** Gives each open pattern its share of the words that the whole query may look for. */
export function shareExpansions(leaves: readonly Leaf[]): Leaf[] {
  const patterns = new Set(leaves.flatMap(leaf => leaf.slots.filter(isOpen).map(printPattern)))
  if (patterns.size < 2) return [...leaves]
  const share = Math.max(1, Math.floor(EXPANSION_CAP.several / patterns.size))
  return leaves.map(leaf => ({
    ...leaf,
    slots: leaf.slots.map(slot => (isOpen(slot) ? { ...slot, most: Math.min(slot.most, share) } : slot)),
  }))
}

/** Equal for patterns that accept the same words: `test` and `testing` have the same stem. */
export function printPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'wildcard':
      return `wildcard ${pattern.pattern}`
    case 'stem':
      return `stem ${stem(pattern.word)}`
    default:
      return `${pattern.kind} ${pattern.word}`
  }
}

/** Whether a pattern stands for words that can only be found by searching the dictionary. */
export function isOpen(pattern: Pattern): pattern is Extract<Pattern, { readonly most: number }> {
  return pattern.kind === 'wildcard' || pattern.kind === 'fuzzy'
}

/** The pattern as the query has it. */
export function textOf(pattern: Pattern): string {
  return pattern.kind === 'wildcard' ? pattern.pattern : pattern.word
}
