// Words by which another engine finds candidates for a question, to be ranked here: stems, as this engine
// makes them, names and ids. They are separated by spaces, and the other engine takes them as they are.
import { idProblem } from '../../item/index.ts'
import type { SearchField } from '../../query/index.ts'
import { compileQuery } from '../match/compile-query.ts'
import { WordNumbers } from '../match/word-numbers.ts'
import type { SearchDocument } from '../text/document.ts'
import { nameKey } from '../text/name-key.ts'
import { stem } from '../text/porter.ts'
import { isStopWord } from '../text/stop-words.ts'
import { type PlainToken, type TokenKind, TokenScanner, type TokenSink } from '../text/tokenize.ts'
import { saidNames } from './said-names.ts'
import type { SearchRequest } from './search-request.ts'

/** Fields that say what an item is for. A word in one of them is written TIMES times. */
const SAYING: readonly SearchField[] = ['title', 'name', 'description', 'category', 'tags', 'keywords']
const TIMES = 3
/** How many characters are read of a text. Longer bodies are about more than a question can ask for. */
const MAX_TEXT = 100_000
const MOST_WORDS = 4000
const MOST_ASKED = 64
/** How many words are remembered from one document to the next. */
const MOST_KEPT = 200_000

/**
 * Makes the words of documents, one after another. Most words have occurred before: their stems are known by
 * number.
 */
export class WordIndexer implements TokenSink {
  readonly #scanner = new TokenScanner(this)
  #numbers = new WordNumbers()
  /** The number of the stem of each word. */
  #stemOf: number[] = []
  #stems = new WordNumbers()
  /** The last document that has each stem, by the number of the stem. */
  #lastIn: number[] = []
  #document = 0
  #found: number[] = []

  wordsOf({ id, name, title, fields }: SearchDocument): string {
    if (this.#numbers.count > MOST_KEPT) this.#forget()
    this.#document++
    const said = this.#read(SAYING.flatMap(field => fields[field]))
    const others = this.#read([...fields.parameters, ...fields.content])
    const names = [...new Set([name, title].map(nameWord))]
    const words = [idWord(id), ...names]
    for (const stem of said) for (let time = 0; time < TIMES; time++) words.push(stem)
    for (const stem of others) words.push(stem)
    return words.slice(0, MOST_WORDS).join(' ')
  }

  plain(token: PlainToken, _position: number, kind: TokenKind): void {
    if (kind !== 'compound') this.#add(this.#numbers.ofPlain(token))
  }

  token(token: string, _position: number, kind: TokenKind): void {
    if (kind !== 'compound') this.#add(this.#numbers.of(token))
  }

  /** The stems in these texts that the document did not have so far. */
  #read(texts: readonly string[]): string[] {
    this.#found = []
    for (const text of texts) {
      this.#scanner.scan(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text)
    }
    return this.#found.map(stem => this.#stems.wordAt(stem))
  }

  #add(word: number): void {
    const known = this.#stemOf[word]
    const number = known ?? this.#stems.of(stem(this.#numbers.wordAt(word)))
    if (known === undefined) this.#stemOf[word] = number
    if (this.#lastIn[number] === this.#document) return
    this.#lastIn[number] = this.#document
    this.#found.push(number)
  }

  #forget(): void {
    this.#numbers = new WordNumbers()
    this.#stems = new WordNumbers()
    this.#stemOf = []
    this.#lastIn = []
  }
}

/** `stems` is empty for a query that has no words, such as `*`. */
export function askedWords(request: SearchRequest): { stems: string[]; names: string[] } {
  const { leaves } = compileQuery(request.query, request)
  const patterns = leaves.flatMap(({ slots, also = [] }) => [...slots, ...also.flat()])
  const words = patterns.flatMap(pattern => ('word' in pattern ? [pattern.word] : []))
  const plain = words.filter(word => !isStopWord(word))
  const stems = new Set((plain.length > 0 ? plain : words).map(stem))
  const id = request.text.trim()
  const names = new Set([nameWord(id), ...[...saidNames(id, new Set())].map(key => nameWord(key))])
  if (idProblem(id) === undefined) names.add(idWord(id))
  return { stems: [...stems].slice(0, MOST_ASKED), names: [...names].slice(0, MOST_ASKED) }
}

/** No stem begins with the `=` of names or the `#` of ids. */
function nameWord(name: string): string {
  return `=${nameKey(name).replaceAll(' ', '_')}`
}

function idWord(id: string): string {
  return `#${id}`
}
