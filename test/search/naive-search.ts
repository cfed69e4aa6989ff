// Finds documents by reading every one of them: the oracle for the engine. It follows the text of the query
// language (docs/formats/query.md) and knows nothing of indexes. Words and stems are passed in.
import { type FieldQueries, SEARCH_FIELDS, type SearchField } from '../../src/query/fields.ts'
import { type Filters, matchesFilters } from '../../src/query/filters.ts'
import { hasOperator } from '../../src/query/parse-query.ts'
import type { Query } from '../../src/query/types.ts'
import { fitsPattern } from '../base/naive-stars.ts'

export interface NaiveToken {
  readonly text: string
  /** Which word of the text it is; the parts of an identifier stand where the identifier does. */
  readonly position: number
  readonly kind: 'word' | 'part' | 'compound' | 'pair'
}

export interface NaiveLanguage {
  readonly analyse: (text: string) => readonly NaiveToken[]
  readonly stem: (word: string) => string
  readonly fold: (text: string) => string
  /** Whether a word only carries a question and says nothing about its subject. */
  readonly isQuestionWord: (word: string) => boolean
}

export interface NaiveDocument {
  readonly id: string
  /** Several values of a field are separate texts. */
  readonly fields: Readonly<Partial<Record<SearchField, readonly string[]>>>
  readonly metadata?: ReadonlyMap<string, unknown>
  readonly date?: number
}

export interface NaiveRequest {
  readonly query: Query
  readonly match: 'all' | 'any'
  readonly fields?: FieldQueries
  readonly filters?: Filters
  /** Edits allowed in a bare word. */
  readonly fuzzy?: number
  /** Words allowed between bare words; undefined is off. */
  readonly proximity?: number
}

/** The ids of the documents that match, in the order given. */
export function naiveSearch(
  documents: readonly NaiveDocument[],
  request: NaiveRequest,
  language: NaiveLanguage,
): string[] {
  return documents
    .filter(document => matchesRequest(document, request, language))
    .map(document => document.id)
}

function matchesRequest(document: NaiveDocument, request: NaiveRequest, language: NaiveLanguage): boolean {
  const { query, fields = new Map<SearchField, Query>(), filters, fuzzy = 0, proximity } = request
  const { metadata, date } = document
  if (filters && !matchesFilters(filters, { get: field => metadata?.get(field), date })) return false

  const read = (field: SearchField) => (document.fields[field] ?? []).map(text => language.analyse(text))
  for (const [field, child] of fields) {
    if (!new Reader(read(field), language, writtenAs).matches(child)) return false
  }
  const accepts: Acceptance = fuzzy > 0 ? isWithinEdits(fuzzy) : sharesStem(language)
  const reader = new Reader(SEARCH_FIELDS.flatMap(read), language, accepts)
  const terms = new Set(requiredTerms(query).flatMap(text => wordsOf(language, text)))
  if (proximity !== undefined && terms.size > 1) {
    const near = new Reader(SEARCH_FIELDS.flatMap(read), language, fuzzy > 0 ? accepts : writtenAs)
    return reader.matches(query) && near.hasCluster([...terms], proximity)
  }
  if (request.match === 'any' && !hasOperator(query))
    return askedParts(query, language).some(part => reader.matches(part))
  return reader.matches(query)
}

/** Whether a bare word of a query accepts a word of a text. */
type Acceptance = (asked: string, found: string) => boolean

const writtenAs: Acceptance = (asked, found) => asked === found
const sharesStem =
  (language: NaiveLanguage): Acceptance =>
  (asked, found) =>
    asked === found || language.stem(asked) === language.stem(found)
const isWithinEdits =
  (most: number): Acceptance =>
  (asked, found) =>
    countEdits(asked, found) <= most

/** Some texts to match queries against. */
class Reader {
  readonly #texts: readonly (readonly NaiveToken[])[]
  readonly #language: NaiveLanguage
  readonly #accepts: Acceptance

  constructor(texts: readonly (readonly NaiveToken[])[], language: NaiveLanguage, accepts: Acceptance) {
    this.#texts = texts
    this.#language = language
    this.#accepts = accepts
  }

  matches(query: Query): boolean {
    switch (query.kind) {
      case 'all':
        return true
      case 'term':
        return this.#hasTerm(query.text)
      case 'phrase':
        return this.#hasSequence(wordsOf(this.#language, query.text), writtenAs)
      case 'wildcard':
        return this.#hasPattern(this.#language.fold(query.pattern))
      case 'not':
        return !this.matches(query.child)
      case 'or':
        return query.children.some(child => this.matches(child))
      default:
        return query.children.every(child => this.matches(child))
    }
  }

  /** Whether all words stand in one text, with at most `between` words from one occurrence to the next. */
  hasCluster(words: readonly string[], between: number): boolean {
    return this.#texts.some(text => {
      const found = text.flatMap(({ text: token, position }) =>
        words.filter(word => this.#accepts(word, token)).map(word => ({ word, position })),
      )
      found.sort((a, b) => a.position - b.position)
      let run = new Set<string>()
      return found.some(({ word, position }, index) => {
        const gap = index === 0 ? 0 : position - found[index - 1]!.position - 1
        if (gap > between) run = new Set()
        run.add(word)
        return run.size === words.length
      })
    })
  }

  /** The words of a pattern, one after another. Marks at its ends, and stars without a letter, ask for nothing. */
  #hasPattern(pattern: string): boolean {
    const pieces = pattern.match(/[\p{L}\p{N}\p{M}*_.-]+/gu) ?? []
    const asked = pieces.flatMap(piece => {
      const words = wordsOf(this.#language, piece.replaceAll('*', ''))
      if (words.length === 0) return []
      // In a script without spaces each character is a word, and a star between or after them changes nothing.
      const isUnspaced = words.length > piece.split(/[*_.-]+/).filter(part => part !== '').length
      return piece.includes('*') && !isUnspaced
        ? [piece.replace(/^[_.-]+/, '').replace(/[_.-]+$/, '')]
        : words
    })
    return asked.length === 0 || this.#hasSequence(asked, fitsPattern)
  }

  /** An identifier is found however its words are joined: `getUserName`, `get_user_name`, `get user name`. */
  #hasTerm(text: string): boolean {
    const words = wordsOf(this.#language, text)
    if (this.#hasSequence(words, this.#accepts)) return true
    if (this.#accepts === writtenAs) return false
    if (words.length > 1) return this.#hasSequence([words.join('')], this.#accepts)
    const parts = this.#language.analyse(text).filter(token => token.kind === 'part')
    return (
      parts.length > 1 &&
      this.#hasSequence(
        parts.map(part => part.text),
        this.#accepts,
      )
    )
  }

  /** Whether the words stand one after another in one of the texts. */
  #hasSequence(words: readonly string[], accepts: Acceptance): boolean {
    return this.#texts.some(text =>
      text.some(({ position: start }) =>
        words.every((word, index) =>
          text.some(token => token.position === start + index && accepts(word, token.text)),
        ),
      ),
    )
  }
}

function wordsOf(language: NaiveLanguage, text: string): string[] {
  return language
    .analyse(text)
    .filter(token => token.kind === 'word')
    .map(token => token.text)
}

function adjacentParts(query: Query): readonly Query[] {
  return query.kind === 'words' ? query.children.flatMap(adjacentParts) : [query]
}

function askedParts(query: Query, language: NaiveLanguage): readonly Query[] {
  const parts = adjacentParts(query)
  const asked = parts.filter(
    part => part.kind !== 'term' || !wordsOf(language, part.text).every(language.isQuestionWord),
  )
  return asked.length > 0 ? asked : parts
}

/** The bare words that every match must have. */
function requiredTerms(query: Query): string[] {
  if (query.kind === 'term') return [query.text]
  return query.kind === 'and' || query.kind === 'words' ? query.children.flatMap(requiredTerms) : []
}

/** Levenshtein distance, by its definition. */
function countEdits(left: string, right: string): number {
  const known = new Map<string, number>()
  const count = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const key = `${i} ${j}`
    const before = known.get(key)
    if (before !== undefined) return before
    const change = left[i - 1] === right[j - 1] ? 0 : 1
    const edits = Math.min(count(i - 1, j) + 1, count(i, j - 1) + 1, count(i - 1, j - 1) + change)
    known.set(key, edits)
    return edits
  }
  return count(left.length, right.length)
}
