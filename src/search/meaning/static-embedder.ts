// Embeds with a static model: the vector of a text is the sum of the rows of its words, scaled to length one. The words are those of
// the index: the same tokens, stop words and stems.
import { unitVector } from '../rank/cosine.ts'
import { stem } from '../text/porter.ts'
import { isStopWord } from '../text/stop-words.ts'
import { COMPOUND, PART, TokenList, WORD } from '../text/token-list.ts'
import { readTokens } from '../text/tokenize.ts'
import { WordNumbers } from '../text/word-numbers.ts'
import { EMBEDDED_BODY, type ItemText, type LocalEmbedder } from './embedder.ts'
import type { StaticModel } from './static-model.ts'

/** A body says less than a description of what an item is for; alone it is all there is. */
const BODY_WEIGHT = 0.3
/** Words whose rows are remembered: stemming takes longer than adding a row. */
const REMEMBERED = 50_000

const UNKNOWN = -1
const STOP_WORD = -2
const NOT_ASKED = -3

/** The rows of words, by their numbers. */
class KnownRows {
  readonly #model: StaticModel
  #numbers = new WordNumbers()
  readonly #rows = new Int32Array(REMEMBERED).fill(NOT_ASKED)
  readonly #tokens = new TokenList()

  constructor(model: StaticModel) {
    this.#model = model
  }

  /** Visits the row of each word of a text. The parts of a camelCase word count where the whole word is not known; they follow it. */
  visit(text: string, visit: (row: number) => void): void {
    const tokens = this.#tokens
    readTokens(text, tokens)
    let takesParts = false
    for (let index = 0; index < tokens.size; index++) {
      const kind = tokens.kinds[index]!
      if (kind === COMPOUND || (kind === PART && !takesParts)) continue
      const row = this.#rowOf(index, text)
      if (kind === WORD) takesParts = row === UNKNOWN
      if (row >= 0) visit(row)
    }
  }

  #rowOf(index: number, text: string): number {
    if (this.#numbers.size === REMEMBERED) {
      this.#numbers = new WordNumbers()
      this.#rows.fill(NOT_ASKED)
    }
    const number = this.#numbers.ofToken(this.#tokens, index, text)
    if (this.#rows[number] === NOT_ASKED) this.#rows[number] = this.#lookUp(this.#tokens.textOf(index, text))
    return this.#rows[number]!
  }

  #lookUp(word: string): number {
    return isStopWord(word) ? STOP_WORD : this.#model.rowOf(stem(word))
  }
}

export function createStaticEmbedder(name: string, model: StaticModel): LocalEmbedder {
  const rows = new KnownRows(model)
  const sumOf = (weights: ReadonlyMap<number, number>): Float32Array | undefined => {
    const sum = new Float64Array(model.dimensions)
    for (const [row, weight] of weights) model.addRow(sum, row, weight)
    return unitVector(sum)
  }
  return {
    model: name,
    dimensions: model.dimensions,
    embedQuestion: text => {
      const weights = new Map<number, number>()
      rows.visit(text, row => weights.set(row, 1))
      return sumOf(weights)
    },
    embedItem: ({ title, description, body }: ItemText) => {
      const weights = new Map<number, number>()
      const add = (text: string, weight: number) =>
        rows.visit(text, row => weights.set(row, (weights.get(row) ?? 0) + weight))
      add(title, 1)
      add(description, 1)
      add(body.slice(0, EMBEDDED_BODY), description === '' ? 1 : BODY_WEIGHT)
      return sumOf(weights)
    },
  }
}
