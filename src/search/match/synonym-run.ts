// Finds adjacent words of a query that have a synonym for all of them together, as `pull request` has `pr`.
import type { Query } from '../../query/index.ts'
import { SYNONYM_LIMITS, type Synonyms, synonymKey } from '../text/synonyms.ts'
import type { TermSplitter } from './term-words.ts'

interface Words {
  readonly synonyms: Synonyms
  readonly terms: TermSplitter
}

/** The index after the longest such run that begins at `from`; `from + 1` if there is none. */
export function endOfRun(queries: readonly Query[], from: number, { synonyms, terms }: Words): number {
  if (synonyms.size === 0) return from + 1
  const words: string[] = []
  let end = from + 1
  for (let at = from; at < queries.length && words.length < SYNONYM_LIMITS.words; at++) {
    const part = queries[at]!
    if (part.kind !== 'term') break
    words.push(...terms.split(part.text).words)
    if (at > from && synonyms.has(synonymKey(words))) end = at + 1
  }
  return end
}
