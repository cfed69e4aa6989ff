// A query tree becomes clauses over leaves. Operators are exact: phrases, wildcards, fuzzy, proximity and field terms
// accept words as written; only bare words also accept their stem.
import { lazy } from '../../base/index.ts'
import { type FieldQueries, hasOperator, type Query, type SearchField } from '../../query/index.ts'
import { foldCase } from '../text/characters.ts'
import { stem } from '../text/porter.ts'
import { isStopWord } from '../text/stop-words.ts'
import { visitTokens } from '../text/tokenize.ts'
import type { Clause, Emphasis, EngineQuery, Leaf, Pattern, Reading } from './compiled-query.ts'
import { EXPANSION_CAP } from './lexicon.ts'

export type MatchMode = 'auto' | 'all' | 'any'

export interface QueryOptions {
  readonly match: MatchMode
  /** Edits allowed in a bare word; 0 is none. */
  readonly fuzzy: number
  /** Words allowed between bare words; undefined switches proximity off. */
  readonly proximity?: number | undefined
  readonly fields: FieldQueries
}

/** Turns a query and its options into leaves, and readings from strict to loose. */
export function compileQuery(query: Query, options: QueryOptions): EngineQuery {
  const compiler = new Compiler(options)
  const restrictions = [...options.fields].map(([field, child]) => compiler.exact(child, field))
  const readings = compiler.readings(query).map(reading => ({
    ...reading,
    scored: countLeaves(restrictions, reading.scored),
  }))
  return { leaves: shareExpansions(compiler.leaves), only: join('and', restrictions), readings }
}

/** Whether a query asks for what comes near, so that meaning counts beside words; all others mean what they say. */
export function isQuestion(query: Query, options: QueryOptions): boolean {
  return compileQuery(query, options).readings.some(reading => reading.any !== undefined)
}

/** Gives each pattern that stands for many words its share of what the query may look for. */
function shareExpansions(leaves: readonly Leaf[]): Leaf[] {
  const patterns = new Set(leaves.flatMap(leaf => leaf.slots.filter(isOpen).map(printPattern)))
  if (patterns.size < 2) return [...leaves]
  const share = Math.max(1, Math.floor(EXPANSION_CAP.several / patterns.size))
  return leaves.map(leaf => ({
    ...leaf,
    slots: leaf.slots.map(slot => (isOpen(slot) ? { ...slot, most: Math.min(slot.most, share) } : slot)),
  }))
}

function isOpen(pattern: Pattern): pattern is Extract<Pattern, { readonly most: number }> {
  return pattern.kind === 'wildcard' || pattern.kind === 'fuzzy'
}

/** Patterns that accept the same words print alike: `test` and `testing` are one word said twice. */
function printPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'wildcard':
      return `wildcard ${pattern.pattern}`
    case 'stem':
      return `stem ${stem(pattern.word)}`
    default:
      return `${pattern.kind} ${pattern.word}`
  }
}

/** The words of one bare term: `words` as written in order, `parts` of camelCase. */
interface TermAnalysis {
  readonly words: readonly string[]
  readonly parts: readonly string[]
}

class Compiler {
  readonly leaves: Leaf[] = []
  readonly #analyses = new Map<string, TermAnalysis>()
  readonly #options: QueryOptions
  readonly #known = new Map<string, number>()

  constructor(options: QueryOptions) {
    this.#options = options
  }

  readings(query: Query): Reading[] {
    const near = this.#nearLeaf(query)
    if (near) return [exactReading(join('and', [this.exact(query), near]))]
    const { match } = this.#options
    const words = hasOperator(query) ? undefined : bareParts(query)
    if (words === undefined || match === 'all') return [exactReading(this.exact(query))]
    if (match === 'any')
      return [
        exactReading(
          join(
            'or',
            words.map(word => this.exact(word)),
          ),
        ),
      ]
    return this.#relaxed(words)
  }

  /**
   * Questions. What has all words that tell something comes first, then what has some of them; only when that finds nothing, what has
   * words of their quoted phrases, and then words such as `how`.
   */
  #relaxed(words: readonly Query[]): Reading[] {
    const parts = words.map(word => ({
      exact: this.exact(word),
      evidence: this.#evidence(word),
      words: this.#wordsOf(word),
      isTelling: !this.#isQuestionWord(word),
    }))
    const telling = parts.filter(part => part.isTelling)
    const all = join(
      'and',
      (telling.length > 0 ? telling : parts).map(part => part.exact),
    )
    const attempts = [
      telling.flatMap(part => part.evidence),
      telling.flatMap(part => part.words),
      parts.flatMap(part => part.words),
    ].filter((attempt, at, list) => attempt.length > (list[at - 1]?.length ?? 0))
    // Stars and marks alone ask for nothing, and get all there is.
    if (attempts.length === 0) return [exactReading(all)]
    return attempts.map(attempt => {
      const any = join('or', attempt)
      return { all, any, scored: countLeaves([any]) }
    })
  }

  /** What a partial match may have of one part of a question: the words, the parts of identifiers, a quoted phrase whole. */
  #evidence(query: Query): Clause[] {
    if (query.kind === 'all') return []
    if (query.kind !== 'term') return [this.exact(query)]
    const { words, parts } = this.#analyse(query.text)
    const all = [...new Set([...words, ...parts])]
    const telling = all.filter(word => !isStopWord(word))
    return (telling.length > 0 ? telling : all).map(word => this.#leaf({ slots: [this.#bare(word)] }))
  }

  /** The same, with a phrase taken apart into its words as written. */
  #wordsOf(query: Query): Clause[] {
    if (query.kind !== 'phrase') return this.#evidence(query)
    return this.#analyse(query.text).words.map(word => this.#leaf({ slots: [{ kind: 'word', word }] }))
  }

  /** The clause that a full match fulfils, adjacent words joined by AND. */
  exact(query: Query, field?: SearchField): Clause {
    switch (query.kind) {
      case 'all':
        return { kind: 'all' }
      case 'term':
        return field
          ? this.#sequence(wordPatterns(this.#analyse(query.text).words), field)
          : this.#term(query.text)
      case 'phrase':
        return this.#sequence(wordPatterns(this.#analyse(query.text).words), field)
      case 'wildcard':
        return this.#sequence(wildcardSlots(foldCase(query.pattern)), field)
      case 'not':
        return { kind: 'not', child: this.exact(query.child, field) }
      case 'or':
        return join(
          'or',
          query.children.map(child => this.exact(child, field)),
        )
      case 'and':
      case 'words':
        return join(
          'and',
          query.children.map(child => this.exact(child, field)),
        )
    }
  }

  /** A bare term. An identifier is found however its words are joined: `getUserName`, `get_user_name`, `get user name`. */
  #term(text: string): Clause {
    const { words, parts } = this.#analyse(text)
    const written = this.#sequence(words.map(word => this.#bare(word)))
    if (words.length > 1) return join('or', [written, this.#leaf({ slots: [this.#bare(words.join(''))] })])
    if (parts.length > 1) return join('or', [written, this.#sequence(parts.map(part => this.#bare(part)))])
    return written
  }

  #bare(word: string): Pattern {
    const { fuzzy } = this.#options
    return fuzzy > 0
      ? { kind: 'fuzzy', word, distance: fuzzy, most: EXPANSION_CAP.fuzzy }
      : { kind: 'stem', word }
  }

  #sequence(slots: readonly Pattern[], field?: SearchField): Clause {
    // A text without a word, such as the phrase "--", asks for nothing.
    return slots.length === 0 ? { kind: 'all' } : this.#leaf({ slots, ...(field && { field }) })
  }

  #nearLeaf(query: Query): Clause | undefined {
    const { proximity, fuzzy } = this.#options
    if (proximity === undefined) return undefined
    const words = [...new Set(requiredTerms(query).flatMap(term => this.#analyse(term).words))]
    if (words.length < 2) return undefined
    const slots = words.map(word => (fuzzy > 0 ? this.#bare(word) : { kind: 'word' as const, word }))
    return this.#leaf({ slots, near: proximity })
  }

  #isQuestionWord(query: Query): boolean {
    return query.kind === 'term' && this.#analyse(query.text).words.every(isStopWord)
  }

  /** Once for each term, however many readings ask. */
  #analyse(text: string): TermAnalysis {
    const analysis = this.#analyses.get(text) ?? analyseTerm(text)
    this.#analyses.set(text, analysis)
    return analysis
  }

  #leaf(leaf: Leaf): Clause {
    const key = `${leaf.field ?? ''} ${leaf.near ?? ''} ${leaf.slots.map(printPattern).join(' ')}`
    const known = this.#known.get(key) ?? this.leaves.push(leaf) - 1
    this.#known.set(key, known)
    return { kind: 'leaf', leaf: known }
  }
}

/** The leaves of clauses that speak for an item, not against it, beside those counted before. */
function countLeaves(clauses: readonly Clause[], before: Emphasis = new Map()): Emphasis {
  const times = new Map(before)
  for (const clause of clauses) countPositive(clause, times)
  return times
}

function countPositive(clause: Clause, times: Map<number, number>): void {
  if (clause.kind === 'leaf') times.set(clause.leaf, (times.get(clause.leaf) ?? 0) + 1)
  else if (clause.kind === 'and' || clause.kind === 'or')
    for (const child of clause.children) countPositive(child, times)
}

function exactReading(all: Clause): Reading {
  return { all, scored: countLeaves([all]) }
}

function join(kind: 'and' | 'or', children: readonly Clause[]): Clause {
  const distinct = kind === 'and' ? children.filter(child => child.kind !== 'all') : children
  if (distinct.length === 0) return { kind: 'all' }
  return distinct.length === 1 ? distinct[0]! : { kind, children: distinct }
}

function analyseTerm(text: string): TermAnalysis {
  const words: string[] = []
  const parts: string[] = []
  visitTokens(text, (token, _position, kind) => {
    if (kind === 'word') words.push(token)
    else if (kind === 'part') parts.push(token)
  })
  return { words, parts }
}

/** What stands between words, and is no joint of a compound. */
const ASCII_GAP = /[^0-9A-Za-z*_.-]+/
const JOINTS = '_.-'
const gap = lazy(() => /[^\p{L}\p{N}\p{M}*_.-]+/u)

/** One slot for each word of a pattern: `some/pa*` is `some` before `pa*`. Marks at the ends (`pa*?`), and stars alone, ask for nothing. */
function wildcardSlots(pattern: string): Pattern[] {
  const isAscii = /^[\0-\x7f]*$/.test(pattern)
  return pattern.split(isAscii ? ASCII_GAP : gap()).flatMap(piece => {
    const { words } = analyseTerm(piece.replaceAll('*', ''))
    if (words.length === 0) return []
    // A script without spaces has a word in each character: a star says that another one may follow, as it may after any word.
    const isUnspaced = words.length > piece.split(/[*_.-]+/).filter(Boolean).length
    return isUnspaced || !piece.includes('*') ? wordPatterns(words) : [openWildcard(withoutEnds(piece))]
  })
}

/** Joints at the ends join nothing. */
function withoutEnds(piece: string): string {
  let [start, end] = [0, piece.length]
  while (JOINTS.includes(piece[start]!)) start++
  while (JOINTS.includes(piece[end - 1]!)) end--
  return piece.slice(start, end)
}

function openWildcard(pattern: string): Pattern {
  return { kind: 'wildcard', pattern, most: EXPANSION_CAP.wildcard }
}

function wordPatterns(words: readonly string[]): Pattern[] {
  return words.map(word => ({ kind: 'word', word }))
}

/** The parts of a query without operators, groups opened; undefined when there is but one part that is exact by itself. */
function bareParts(query: Query): Query[] | undefined {
  if (query.kind === 'words') return query.children.flatMap(child => bareParts(child) ?? [child])
  return query.kind === 'term' ? [query] : undefined
}

/** The bare terms that every match must have. */
function requiredTerms(query: Query): string[] {
  if (query.kind === 'term') return [query.text]
  return query.kind === 'and' || query.kind === 'words' ? query.children.flatMap(requiredTerms) : []
}
