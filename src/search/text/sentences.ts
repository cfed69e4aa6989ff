// Where the sentences of a question end. A dot inside of a word, such as that of `app.ts` or `3.5`, ends none.

/** A page of text has as many at most: the last takes what is left. */
const MOST = 16

/** The place after each sentence; the last is after everything. */
export function sentenceEnds(text: string): readonly number[] {
  const ends: number[] = []
  for (const { index } of text.matchAll(/[.?!;](?=\s)|\n|[。？！]/g)) {
    if (ends.length === MOST - 1) break
    ends.push(index)
  }
  return [...ends, Number.POSITIVE_INFINITY]
}
