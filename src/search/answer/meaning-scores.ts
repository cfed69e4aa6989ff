// Meaning besides words, for questions: the cosine of each item's vector with the question's is added to its score, and the
// nearest items are found even when they have none of the words.
import type { CompiledQuery } from '../match/compiled-query.ts'
import type { DocSet } from '../match/doc-set.ts'
import { TopHits } from '../match/top-hits.ts'
import { cosines, fuseScores, type VectorTable } from '../rank/cosine.ts'
import type { SearchRequest } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'

/** How many items of each space a question may find by meaning alone. */
const NEIGHBOURS = 50

export interface SpaceScores {
  readonly found: DocSet
  readonly scores: Float64Array
  readonly allowed: DocSet
}

export class MeaningScores {
  /** Without vectors to compare, scores are those of words alone, not a fraction of them. */
  readonly isUsed: boolean
  readonly #vector: SearchRequest['vector']
  /** For each space, the vectors that can be compared with the question's. */
  readonly #tables: readonly VectorTable[]

  constructor(spaces: readonly OpenSpace[], request: SearchRequest, { readings }: CompiledQuery) {
    const { vector } = request
    const isQuestion = readings.some(reading => reading.any !== undefined)
    this.#vector = vector
    this.#tables =
      vector && isQuestion
        ? spaces.map(({ reader }) => reader.vectors(vector.model, vector.values.length))
        : []
    this.isUsed = this.#tables.some(
      ({ docs }, at) => docs.length > 0 && request.spaces.includes(spaces[at]!.space),
    )
  }

  /** Changes the scores of one space, and adds its nearest items to those found. */
  addTo({ found, scores, allowed }: SpaceScores, at: number): void {
    const table = this.#tables[at]
    if (!this.#vector || !table || !this.isUsed) return
    const near = cosines(table, this.#vector.values)
    const nearest = new TopHits<number>(NEIGHBOURS, (a, b) => near[b]! - near[a]! || a - b)
    const meanings = new Float64Array(scores.length)
    table.docs.forEach((doc, row) => {
      meanings[doc] = near[row]!
      if (near[row]! > 0 && allowed.has(doc)) nearest.offer(row)
    })
    for (const row of nearest.sorted()) found.add(table.docs[row]!)
    for (let doc = 0; doc < meanings.length; doc++) scores[doc] = fuseScores(scores[doc]!, meanings[doc]!)
  }
}
