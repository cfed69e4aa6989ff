// Decides which tool a request means. Two rankings, by words and by meaning, are combined by weighted
// reciprocal rank; then words of the request that occur in the tool's name or metadata add to the score. A
// word counts once per field.
import { hasLetterOrDigit } from '../../base/index.ts'
import { nameWords } from '../read/name-words.ts'
import type { ToolRowMetadata } from './skill-rows.ts'

export interface Hit {
  readonly id: string
  /** Higher is better, on any scale. */
  readonly score: number
}

export interface RouteCandidate {
  readonly id: string
  readonly description: string
  readonly metadata: Pick<ToolRowMetadata, 'tool_name' | 'category' | 'intents' | 'routing_keywords'>
}

export type Confidence = 'high' | 'medium' | 'low'

export interface RoutedTool<C extends RouteCandidate> {
  readonly candidate: C
  /** 0 to 1. */
  readonly score: number
  readonly confidence: Confidence
  /** The score, mapped to the range of its confidence. */
  readonly finalScore: number
  readonly keywordScore: number | undefined
  readonly vectorScore: number | undefined
}

export interface RouteRequest<C extends RouteCandidate> {
  readonly query: string
  /** Every tool in either ranking. */
  readonly candidates: readonly C[]
  /** Best first. */
  readonly keywordHits: readonly Hit[]
  /** Best first; scores from 0 to 1. Empty without an embedder. */
  readonly vectorHits: readonly Hit[]
}

/** How quickly the weight falls with the rank. */
const RRF_K = 10
const RRF_WEIGHTS = { keyword: 1.5, semantic: 1.0 } as const
const NAME_WORD = 0.3
const NAME_PHRASE = 0.5
const FIELD_WORD = { routing_keywords: 0.08, intents: 0.09, category: 0.05, description: 0.03 } as const
const MOST_FIELD_BOOST = 0.45
/** Shorter words are ignored. */
const SHORTEST_WORD = 3
const MOST_WORDS = 50

const CONFIDENCE = { high: 0.75, medium: 0.5, lead: 0.15, vector: 0.55 } as const

/** Best first; equal scores by id. */
export function routeTools<C extends RouteCandidate>(request: RouteRequest<C>): RoutedTool<C>[] {
  const keyword = new Map(request.keywordHits.map((hit, rank) => [hit.id, { ...hit, rank }]))
  const vector = new Map(request.vectorHits.map((hit, rank) => [hit.id, { ...hit, rank }]))
  const words = queryWords(request.query)
  const phrase = request.query.trim().toLowerCase()
  const scored = request.candidates.map(candidate => {
    const byWords = keyword.get(candidate.id)
    const byMeaning = vector.get(candidate.id)
    const raw =
      (byWords ? RRF_WEIGHTS.keyword * rankTerm(byWords.rank) : 0) +
      (byMeaning ? RRF_WEIGHTS.semantic * rankTerm(byMeaning.rank) : 0) +
      nameBoost(candidate.metadata.tool_name, words, phrase) +
      (byWords ? fieldBoost(candidate, words) : 0)
    return { candidate, raw, keywordScore: byWords?.score, vectorScore: byMeaning?.score }
  })
  scored.sort((a, b) => b.raw - a.raw || (a.candidate.id < b.candidate.id ? -1 : 1))
  const second = scored[1]?.raw ?? 0
  return scored.map(({ raw, ...rest }, index) => {
    const score = Math.min(1, raw)
    const leads = index === 0 && raw - second >= CONFIDENCE.lead
    const confidence = confidenceOf(score, leads, rest.vectorScore ?? 0)
    return { ...rest, score, confidence, finalScore: calibrate(score, confidence) }
  })
}

function rankTerm(rank: number): number {
  return 1 / (RRF_K + rank + 1)
}

function nameBoost(name: string, words: readonly string[], phrase: string): number {
  const parts = nameWords(name)
  const named = words.filter(word => parts.some(part => isSameWord(part, word))).length
  const isPhrase = phrase.length >= SHORTEST_WORD && hasPhrase(name.toLowerCase(), phrase)
  return named * NAME_WORD + (isPhrase ? NAME_PHRASE : 0)
}

/** Whole words only: `digit` does not have `git`. */
function hasPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (!hasLetterOrDigit(text.charAt(at - 1)) && !hasLetterOrDigit(text.charAt(at + phrase.length)))
      return true
  }
  return false
}

function fieldBoost({ description, metadata }: RouteCandidate, words: readonly string[]): number {
  const fields: readonly (readonly [number, string])[] = [
    [FIELD_WORD.routing_keywords, metadata.routing_keywords.join(' ')],
    [FIELD_WORD.intents, metadata.intents.join(' ')],
    [FIELD_WORD.category, metadata.category],
    [FIELD_WORD.description, description],
  ]
  let boost = 0
  for (const [weight, text] of fields) {
    const parts = nameWords(text)
    boost += weight * words.filter(word => parts.some(part => isSameWord(part, word))).length
  }
  return Math.min(boost, MOST_FIELD_BOOST)
}

function queryWords(query: string): string[] {
  const words = nameWords(query).filter(word => word.length >= SHORTEST_WORD)
  return [...new Set(words)].slice(0, MOST_WORDS)
}

/** Equal, or one is the other with a short ending: `commit`, `commits`. */
function isSameWord(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length > SHORTEST_WORD && long.length - short.length <= SHORTEST_WORD && long.startsWith(short)
}

function confidenceOf(score: number, leads: boolean, vectorScore: number): Confidence {
  if (score >= CONFIDENCE.high) return 'high'
  if (score < CONFIDENCE.medium) return 'low'
  return leads || vectorScore >= CONFIDENCE.vector ? 'high' : 'medium'
}

function calibrate(score: number, confidence: Confidence): number {
  if (confidence === 'high') return Math.min(0.9 + 0.05 * score, 0.99)
  if (confidence === 'medium') return Math.min(0.6 + 0.3 * score, 0.89)
  return Math.max(score, 0.1)
}
