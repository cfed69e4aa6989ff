// The words of a group of documents, as encoded lists: the inner loop of indexing, so it works on flat arrays of numbers.
import { SEARCH_FIELDS } from '../../query/index.ts'
import { MAX_POSITION, type SearchDocument, VALUE_GAP, visitTokens } from '../../search/index.ts'
import { type EncodedList, encodeDocument } from './posting-codec.ts'

/** A body past this is searched by its beginning. */
const MAX_TEXT = 4_000_000

export class WordCollector {
  readonly #numbers = new Map<string, number>()
  readonly #words: string[] = []
  readonly #lists: { heads: number[]; places: number[] }[] = []
  /** Of the document being read: occurrences as chains, one for each word. */
  readonly #first: number[] = []
  readonly #last: number[] = []

  /** Reads one document; documents come in ascending order. Returns the lengths of its fields and its words' numbers. */
  add(offset: number, document: SearchDocument): { lengths: number[]; words: number[] } {
    const next: number[] = []
    const fieldOfOccurrence: number[] = []
    const positions: number[] = []
    const words: number[] = []
    const lengths = SEARCH_FIELDS.map((name, field) => {
      let length = 0
      let from = 0
      for (const value of document.fields[name]) {
        const end = visitTokens(
          value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value,
          (text, position, kind) => {
            if (position > MAX_POSITION) return
            if (kind !== 'compound') length++
            const word = this.#numberOf(text)
            const occurrence = positions.push(position) - 1
            fieldOfOccurrence.push(field)
            next.push(-1)
            if (this.#first[word] === -1) {
              this.#first[word] = occurrence
              words.push(word)
            } else next[this.#last[word]!] = occurrence
            this.#last[word] = occurrence
          },
          from,
        )
        from = end + VALUE_GAP
      }
      return length
    })
    for (const word of words) {
      const fields: number[][] = SEARCH_FIELDS.map(() => [])
      for (let at = this.#first[word]!; at !== -1; at = next[at]!) fields[fieldOfOccurrence[at]!]!.push(positions[at]!)
      encodeDocument(this.#lists[word]!, offset, fields)
      this.#first[word] = -1
    }
    return { lengths, words }
  }

  /** Every word with its list, sorted by word: neighbours in the table of terms are written together. */
  *lists(): Generator<{ word: string; number: number; list: EncodedList }> {
    const order = this.#words.map((_, number) => number)
    order.sort((a, b) => (this.#words[a]! < this.#words[b]! ? -1 : 1))
    for (const number of order) {
      const { heads, places } = this.#lists[number]!
      yield {
        word: this.#words[number]!,
        number,
        list: { heads: Uint8Array.from(heads), places: Uint8Array.from(places) },
      }
    }
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    const number = this.#words.push(word) - 1
    this.#numbers.set(word, number)
    this.#lists.push({ heads: [], places: [] })
    this.#first.push(-1)
    this.#last.push(-1)
    return number
  }
}
