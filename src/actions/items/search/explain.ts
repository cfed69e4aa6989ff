// Explains why a hit is where it is: what comes before the score, and what the score is made of.
import type { FullResult, SearchReasons } from './answer.ts'

/** Indexed by the numbers of `TIER`, by which the index orders hits. */
const TIERS = [
  'this is its id',
  'this is its name',
  'this is its name, spelled otherwise',
  'the question says its name',
] as const

export function explainHit(result: FullResult, tier: number): SearchReasons {
  const named = TIERS[tier]
  const fields = result.matched ?? {}
  if (named !== undefined) return { tier: named, fields }
  const { words, meaning } = result.score_parts ?? { words: result.score }
  const hasWords = Object.keys(fields).length > 0
  const found = result.partial ? 'some of the words' : 'all words'
  return {
    tier: hasWords ? found : 'meaning alone',
    words,
    ...(meaning !== undefined && { meaning }),
    fields,
  }
}
