// Reads the words of a document, field by field, each with its place. The index on disk and the one in memory
// share it.
import { SEARCH_FIELDS } from '../../query/index.ts'
import type { SearchDocument } from '../text/document.ts'
import { type PlainToken, type TokenKind, TokenScanner, type TokenSink } from '../text/tokenize.ts'
import { MAX_POSITION, MAX_TEXT, placeOf, VALUE_GAP } from './postings/place.ts'
import type { WordNumbers } from './word-numbers.ts'

export abstract class WordScanner implements TokenSink {
  readonly numbers: WordNumbers
  readonly #scanner = new TokenScanner(this)
  /** The field that is being read. */
  #field = 0
  #length = 0
  #afterPart = false

  constructor(numbers: WordNumbers) {
    this.numbers = numbers
  }

  /** Takes one occurrence of a word, by its number. */
  protected abstract push(word: number, place: number): void

  /** Reads one document and returns the lengths of its fields. */
  protected scan(document: SearchDocument): number[] {
    return SEARCH_FIELDS.map((name, field) => this.scanField(field, document.fields[name]))
  }

  protected scanField(field: number, values: readonly string[]): number {
    this.#field = field
    this.#length = 0
    let from = 0
    for (const value of values) {
      const text = value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value
      from = this.#scanner.scan(text, from) + VALUE_GAP
    }
    return this.#length
  }

  plain(token: PlainToken, position: number, kind: TokenKind): void {
    this.#put(this.numbers.ofPlain(token), position, kind)
  }

  token(token: string, position: number, kind: TokenKind): void {
    this.#put(this.numbers.of(token), position, kind)
  }

  #put(word: number, position: number, kind: TokenKind): void {
    // A camelCase word counts as many words as it has parts. The parts come right after it.
    if (kind === 'word' || (kind === 'part' && this.#afterPart)) this.#length++
    this.#afterPart = kind === 'part'
    if (position <= MAX_POSITION) this.push(word, placeOf(this.#field, position))
  }
}
