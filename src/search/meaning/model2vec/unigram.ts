// Unigram: of all ways to cut a word into pieces, chooses the one whose pieces are likeliest together. Each
// piece has a score, the logarithm of how often it occurs.
import type { CutModel } from './cut-model.ts'

/** Longer words are cut into parts of this length first, since the work grows with their length. */
const LONGEST = 512
/** How much less an unknown character scores than the rarest piece. */
const UNKNOWN_COST = 10

export function readUnigram(model: Readonly<Record<string, unknown>>): CutModel {
  const vocab: unknown[] = Array.isArray(model.vocab) ? model.vocab : []
  const pieces = new Map<string, { readonly number: number; readonly score: number }>()
  let [longest, least] = [1, 0]
  vocab.forEach((entry, number) => {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'number')
      throw new Error('expected each entry of the Unigram `vocab` to be a token and a score')
    const [token, score] = entry as [string, number]
    pieces.set(token, { number, score })
    longest = Math.max(longest, token.length)
    least = Math.min(least, score)
  })
  if (vocab.length === 0) throw new Error('expected the Unigram `vocab` to be a list of tokens')
  const lexicon = {
    pieces,
    longest: Math.min(longest, LONGEST),
    unknownScore: least - UNKNOWN_COST,
    unknown: model.unk_id,
  }
  return {
    size: vocab.length,
    cut: word => {
      const numbers: number[] = []
      for (let at = 0; at < word.length; at += LONGEST)
        numbers.push(...cutBest(word.slice(at, at + LONGEST), lexicon))
      return numbers
    },
  }
}

interface Lexicon {
  readonly pieces: ReadonlyMap<string, { readonly number: number; readonly score: number }>
  readonly longest: number
  readonly unknownScore: number
  readonly unknown: unknown
}

/** Viterbi: the best way to each place in the word, from the best ways to the places before. */
function cutBest(word: string, { pieces, longest, unknownScore, unknown }: Lexicon): number[] {
  const best = new Float64Array(word.length + 1).fill(Number.NEGATIVE_INFINITY)
  const from = new Int32Array(word.length + 1)
  const chosen = new Int32Array(word.length + 1).fill(-1)
  best[0] = 0
  for (let start = 0; start < word.length; start++) {
    const reach = Math.min(word.length, start + longest)
    for (let end = start + 1; end <= reach; end++) {
      const piece = pieces.get(word.slice(start, end))
      const score = piece?.score ?? (end === start + 1 ? unknownScore : undefined)
      if (score === undefined || best[start]! + score <= best[end]!) continue
      best[end] = best[start]! + score
      from[end] = start
      chosen[end] = piece?.number ?? -1
    }
  }
  const numbers: number[] = []
  for (let end = word.length; end > 0; end = from[end]!) numbers.push(chosen[end]!)
  return numbers.reverse().filter(number => number >= 0 && number !== unknown)
}
