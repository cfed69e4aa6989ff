// Term ids of words, for writing. Ids only grow, so that a lexicon in memory is updated by adding those past
// its last one. What was looked up is kept for the next batch, unless another process has written in between.
import type { WordNumbers } from '../../match/word-numbers.ts'
import type { Database } from '../load-sqlite.ts'
import { storedStem } from '../term-stem.ts'
import { RowWriter } from './row-writer.ts'

/** All at once: a call for every few rows takes twice as long. */
const INSERT_PLAIN = 'INSERT INTO term SELECT value, ? + key, NULL FROM json_each(?)'

export class TermIds {
  readonly #database: Database
  /** The words whose ids are known, and the id of each; 0 when unknown. */
  #numbers: WordNumbers | undefined
  #ids: number[] = []
  #last = 0
  #generation = 0
  /** Whether `#ids` has all terms, so that a word without an id is new. */
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
    this.#numbers = undefined
    this.#ids = []
    this.#complete = false
  }

  /** The ids of some words, by their numbers. Words that have no id get one. */
  idsOf(numbers: WordNumbers, wanted: Uint32Array): readonly number[] {
    if (this.#numbers !== numbers) {
      // In a database without terms all ids are known, whatever the numbering of words.
      this.#complete &&= this.#last === 0
      this.#numbers = numbers
      this.#ids = []
    }
    const ids = this.#ids
    while (ids.length < numbers.count) ids.push(0)
    if (!this.#complete) {
      const find = this.#database.prepare('SELECT id FROM term WHERE text = ?')
      for (const word of wanted)
        ids[word] ||= (find.get(numbers.wordAt(word)) as { id: number } | undefined)?.id ?? 0
    }
    const fresh: string[] = []
    for (const word of wanted) if (ids[word] === 0) fresh.push(numbers.wordAt(word))
    // Sorted, so that neighbours in the table are written together.
    fresh.sort()
    const stems = fresh.map(storedStem)
    const plain = fresh.filter((_, at) => stems[at] === null)
    this.#database.prepare(INSERT_PLAIN).run(this.#last + 1, JSON.stringify(plain))
    for (const word of plain) ids[numbers.of(word)] = ++this.#last
    const added = new RowWriter(this.#database, 'INSERT INTO term', 3)
    for (const [at, word] of fresh.entries()) {
      if (stems[at] === null) continue
      ids[numbers.of(word)] = ++this.#last
      added.add(word, this.#last, stems[at]!)
    }
    added.flush()
    return ids
  }
}
