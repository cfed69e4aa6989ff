// Where the sentences of a question end. A dot inside a word, as in `app.ts` or `3.5`, ends none.

/** The most sentences that a text is split into; the last takes the rest. */
const MOST = 16

/** The offset where each sentence ends; the last one is infinite. */
export function sentenceEnds(text: string): readonly number[] {
  const ends: number[] = []
  for (const { index } of text.matchAll(/[.?!;](?=\s)|\n|[。？！]/g)) {
    if (ends.length === MOST - 1) break
    ends.push(index)
  }
  return [...ends, Number.POSITIVE_INFINITY]
}
