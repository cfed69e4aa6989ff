// Loads the words of a database when a pattern first needs them all. Term ids only grow, so later generations
// add new words only; a word that no document has any more stays, and matches nothing.
import { Lexicon } from '../../match/lexicon.ts'
import type { Database } from '../load-sqlite.ts'

export class LexiconLoader {
  readonly #database: Database
  readonly #lexicon = new Lexicon()
  #lastTerm = 0

  constructor(database: Database) {
    this.#database = database
  }

  load(): Lexicon {
    const row = this.#database
      .prepare(
        `SELECT max(id) AS last, group_concat(id) AS ids, group_concat(text, char(10)) AS words
         FROM term WHERE id > ?`,
      )
      .get(this.#lastTerm) as { last: number | null; ids: string; words: string }
    if (row.last === null) return this.#lexicon
    const ids = row.ids.split(',')
    row.words.split('\n').forEach((word, index) => {
      this.#lexicon.add(word, Number(ids[index]))
    })
    this.#lastTerm = row.last
    return this.#lexicon
  }
}
