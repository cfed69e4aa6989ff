// Embeds with a static model: the vector of a text is the sum of the rows of its words, scaled to length one.
// The words are those of the index: the same tokens, stop words and stems.
import { WordNumbers } from '../match/word-numbers.ts'
import { unitVector } from '../rank/cosine.ts'
import { stem } from '../text/porter.ts'
import { isStopWord } from '../text/stop-words.ts'
import { type PlainToken, type TokenKind, TokenScanner, type TokenSink } from '../text/tokenize.ts'
import { EMBEDDED_BODY, type ItemText, type LocalEmbedder } from './embedder.ts'
import type { StaticModel } from './static-model.ts'

/**
 * A body says less about what an item is for than a description does. Without a description it counts fully.
 */
const BODY_WEIGHT = 0.3
/** How many words have their rows remembered, since stemming takes longer than adding a row. */
const REMEMBERED = 50_000

const UNKNOWN = -1
const STOP_WORD = -2

export function createStaticEmbedder(name: string, model: StaticModel): LocalEmbedder {
  const finder = new RowFinder(word => (isStopWord(word) ? STOP_WORD : model.rowOf(stem(word))))
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
      finder.visit(text, row => weights.set(row, 1))
      return sumOf(weights)
    },
    embedItem: ({ title, description, body }: ItemText) => {
      const weights = new Map<number, number>()
      const add = (text: string, weight: number) =>
        finder.visit(text, row => weights.set(row, (weights.get(row) ?? 0) + weight))
      add(title, 1)
      add(description, 1)
      add(body.slice(0, EMBEDDED_BODY), description === '' ? 1 : BODY_WEIGHT)
      return sumOf(weights)
    },
  }
}

/**
 * Visits the rows of the words of a text. Words that were seen before are known by number, without making a
 * string of them.
 */
class RowFinder implements TokenSink {
  readonly #lookUp: (word: string) => number
  readonly #scanner = new TokenScanner(this)
  #numbers = new WordNumbers()
  #rows: number[] = []
  #visit: (row: number) => void = () => {}
  /**
   * Whether parts count: those of a camelCase word do when the whole word is not known. They come right after
   * it.
   */
  #takesParts = false

  constructor(lookUp: (word: string) => number) {
    this.#lookUp = lookUp
  }

  visit(text: string, visit: (row: number) => void): void {
    if (this.#numbers.count > REMEMBERED) {
      this.#numbers = new WordNumbers()
      this.#rows = []
    }
    this.#visit = visit
    this.#takesParts = false
    this.#scanner.scan(text)
  }

  plain(token: PlainToken, _position: number, kind: TokenKind): void {
    if (this.#isWanted(kind)) this.#found(this.#numbers.ofPlain(token), kind)
  }

  token(token: string, _position: number, kind: TokenKind): void {
    if (this.#isWanted(kind)) this.#found(this.#numbers.of(token), kind)
  }

  #isWanted(kind: TokenKind): boolean {
    return kind !== 'compound' && (kind !== 'part' || this.#takesParts)
  }

  #found(number: number, kind: TokenKind): void {
    const row = this.#rowOf(number)
    if (kind === 'word') this.#takesParts = row === UNKNOWN
    if (row >= 0) this.#visit(row)
  }

  #rowOf(number: number): number {
    const known = this.#rows[number]
    if (known !== undefined) return known
    const row = this.#lookUp(this.#numbers.wordAt(number))
    this.#rows[number] = row
    return row
  }
}
