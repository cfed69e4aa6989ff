// Decides whether an item that a manifest lists fits a query. Such items are not indexed: words are looked
// for in one short text. `AND`, `OR` and `NOT` mean what they mean in the index.
import { hasOperator, type Query } from '../../../query/index.ts'
import { isStopWord } from '../../../search/index.ts'

/**
 * The plain words that a query asks for, without stop words. Excluded words are left out: they are none of
 * the registry's business.
 */
export function wantedWords(query: Query): string[] {
  const all = [...new Set(positiveWords(query))]
  const telling = all.filter(word => !isStopWord(word))
  return telling.length > 0 ? telling : all
}

function positiveWords(query: Query): string[] {
  if (query.kind === 'all' || query.kind === 'not') return []
  return 'children' in query ? query.children.flatMap(positiveWords) : wordsOf(query)
}

/** The share of the words that the text has, 0 to 1. Undefined if it does not fit. */
export function matchListed(query: Query, text: string, match: 'auto' | 'all' | 'any'): number | undefined {
  const holds = holdsIn(text.toLowerCase())
  // As in the index, a query with an operator is exact.
  const isExact = match === 'all' || hasOperator(query)
  const fits = (node: Query): boolean => {
    if (node.kind === 'all') return true
    if (node.kind === 'not') return !fits(node.child)
    if (node.kind === 'and' || (node.kind === 'words' && isExact)) return node.children.every(fits)
    return 'children' in node ? node.children.some(fits) : wordsOf(node).every(holds)
  }
  const words = wantedWords(query)
  const share = words.length === 0 ? 1 : words.filter(holds).length / words.length
  return share > 0 && fits(query) ? share : undefined
}

/** Words of one or two characters must be whole words: almost every text contains them. */
function holdsIn(text: string): (word: string) => boolean {
  const words = new Set(text.match(WORD) ?? [])
  return word => words.has(word) || (word.length > 2 && text.includes(word))
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}_-]*/gu

function wordsOf(leaf: Extract<Query, { kind: 'term' | 'phrase' | 'wildcard' }>): string[] {
  const text = leaf.kind === 'wildcard' ? leaf.pattern : leaf.text
  return text.toLowerCase().match(WORD) ?? []
}
