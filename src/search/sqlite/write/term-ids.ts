// Term ids of words, for writing. Ids only grow, so that a lexicon in memory is updated by adding those past its last one.
// What was looked up is kept for the next batch, unless another process has written in between.
import { stem } from '../../text/porter.ts'
import type { Database } from '../load-sqlite.ts'
import { RowWriter } from './row-writer.ts'

export class TermIds {
  readonly #database: Database
  readonly #ids = new Map<string, number>()
  #last = 0
  #generation = 0
  /** `#ids` holds every term, so a word that is not in it is new. */
  #complete = false

  constructor(database: Database) {
    this.#database = database
  }

  /** Must be called first in a transaction. */
  begin(generation: number): void {
    const row = this.#database.prepare(`SELECT value FROM meta WHERE key = 'last term'`).get() as {
      value: number
    }
    if (generation !== this.#generation) this.forget()
    if (row.value === 0) this.#complete = true
    this.#last = row.value
  }

  /** Must be called last in a transaction, with the generation that it writes. */
  end(generation: number): void {
    this.#database.prepare(`UPDATE meta SET value = ? WHERE key = 'last term'`).run(this.#last)
    this.#generation = generation
  }

  forget(): void {
    this.#ids.clear()
    this.#complete = false
  }

  idsOf(words: readonly string[]): Float64Array {
    const find = this.#database.prepare('SELECT id FROM term WHERE text = ?')
    const added = new RowWriter(this.#database, 'INSERT INTO term', 3)
    const ids = new Float64Array(words.length)
    const fresh: number[] = []
    words.forEach((word, index) => {
      let id = this.#ids.get(word)
      if (id === undefined && !this.#complete) {
        id = (find.get(word) as { id: number } | undefined)?.id
        if (id !== undefined) this.#ids.set(word, id)
      }
      if (id === undefined) fresh.push(index)
      ids[index] = id ?? 0
    })
    // Sorted, so that neighbours in the index of words are written together.
    fresh.sort((a, b) => (words[a]! < words[b]! ? -1 : 1))
    for (const index of fresh) {
      const word = words[index]!
      ids[index] = ++this.#last
      added.add(this.#last, word, stemOf(word))
      this.#ids.set(word, this.#last)
    }
    added.flush()
    return ids
  }
}

/** Compounds such as `read-file` have no stem. */
function stemOf(word: string): string | null {
  return /[_.-]/.test(word) ? null : stem(word)
}
