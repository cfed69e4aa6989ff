// The quality of rankings, measured against judged answers. All figures are from 0 to 1, and means over the
// questions that have an answer. Gains are linear and discounts logarithmic (base 2), as in trec_eval, so
// that figures can be compared with published ones.

/** Document → relevance; above zero it is an answer. */
export type Judgements = ReadonlyMap<string, number>

export interface RetrievalFigures {
  readonly ndcg10: number
  readonly recall5: number
  readonly recall10: number
  readonly mrr10: number
  readonly hit1: number
}

/** Means over all judged questions; one without a ranking counts as an empty ranking. */
export function measureRankings(
  rankings: ReadonlyMap<string, readonly string[]>,
  judgements: ReadonlyMap<string, Judgements>,
): RetrievalFigures {
  const perQuestion: RetrievalFigures[] = []
  for (const [question, judged] of judgements) {
    if (countAnswers(judged) === 0) continue
    perQuestion.push(measureRanking(rankings.get(question) ?? [], judged))
  }
  const mean = (figure: keyof RetrievalFigures) =>
    perQuestion.reduce((sum, figures) => sum + figures[figure], 0) / Math.max(1, perQuestion.length)
  return {
    ndcg10: mean('ndcg10'),
    recall5: mean('recall5'),
    recall10: mean('recall10'),
    mrr10: mean('mrr10'),
    hit1: mean('hit1'),
  }
}

/** The figures of one question. A document that is ranked twice counts at its first rank. */
export function measureRanking(ranking: readonly string[], judged: Judgements): RetrievalFigures {
  const gains = [...new Set(ranking)].map(id => Math.max(0, judged.get(id) ?? 0))
  const answers = countAnswers(judged)
  return {
    ndcg10: ndcgAt(gains, judged, 10),
    recall5: hitsAt(gains, 5) / Math.max(1, answers),
    recall10: hitsAt(gains, 10) / Math.max(1, answers),
    mrr10: reciprocalRankAt(gains, 10),
    hit1: hitsAt(gains, 1),
  }
}

function ndcgAt(gains: readonly number[], judged: Judgements, depth: number): number {
  const ideal = [...judged.values()].filter(gain => gain > 0).sort((a, b) => b - a)
  const best = discountedGain(ideal, depth)
  return best === 0 ? 0 : discountedGain(gains, depth) / best
}

function discountedGain(gains: readonly number[], depth: number): number {
  return gains.slice(0, depth).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

function reciprocalRankAt(gains: readonly number[], depth: number): number {
  const first = gains.slice(0, depth).findIndex(gain => gain > 0)
  return first === -1 ? 0 : 1 / (first + 1)
}

function hitsAt(gains: readonly number[], depth: number): number {
  return gains.slice(0, depth).filter(gain => gain > 0).length
}

function countAnswers(judged: Judgements): number {
  let count = 0
  for (const gain of judged.values()) if (gain > 0) count++
  return count
}
