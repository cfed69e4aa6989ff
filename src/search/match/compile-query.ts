// Compiles a query tree to clauses over leaves. Operators are exact: phrases, wildcards, fuzzy, proximity and
// field terms match words as written; only bare words also match words of the same stem.
import { type FieldQueries, hasOperator, type Query, type SearchField } from '../../query/index.ts'
import { foldWord } from '../text/fold.ts'
import { isStopWord } from '../text/stop-words.ts'
import { type Synonyms, synonymKey } from '../text/synonyms.ts'
import { countLeaves, joinClauses } from './clauses.ts'
import type { Clause, CompiledQuery, Leaf, Pattern, Reading } from './compiled-query.ts'
import { LeafList } from './leaf-list.ts'
import { EXPANSION_CAP } from './lexicon.ts'
import { shareExpansions, wildcardPatterns, wordPatterns } from './patterns.ts'
import { bareParts, requiredTerms } from './query-parts.ts'
import { endOfRun } from './synonym-run.ts'
import { TermSplitter } from './term-words.ts'

export type MatchMode = 'auto' | 'all' | 'any'

export interface QueryOptions {
  readonly match: MatchMode
  /** Edits allowed in a bare word; 0 for none. */
  readonly fuzzy: number
  /** Words allowed between bare words; undefined for no proximity. */
  readonly proximity?: number | undefined
  readonly fields: FieldQueries
  /** Words to ignore in this question, besides stop words. */
  readonly ignored?: ReadonlySet<string>
  /** Synonyms of bare words. */
  readonly synonyms?: Synonyms
  /** Where each sentence of the query's text ends. By default it is one sentence. */
  readonly sentenceEnds?: readonly number[]
  /** Terms of this query that were split before. */
  readonly terms?: TermSplitter
}

export function compileQuery(query: Query, options: QueryOptions): CompiledQuery {
  const compiler = new Compiler(options)
  const restrictions = [...options.fields].map(([field, child]) => compiler.exact(child, field))
  const readings = compiler.readings(query).map(reading => ({
    ...reading,
    scored: countLeaves(restrictions, reading.scored),
  }))
  return { leaves: shareExpansions(compiler.leaves), only: joinClauses('and', restrictions), readings }
}

/** Whether a query is a question, which accepts partial matches and counts meaning besides words. */
export function isQuestion(query: Query, options: QueryOptions): boolean {
  return new Compiler(options).isQuestion(query)
}

class Compiler {
  readonly #list = new LeafList()
  readonly #terms: TermSplitter
  readonly #options: QueryOptions
  readonly #synonyms: Synonyms

  constructor(options: QueryOptions) {
    this.#options = options
    this.#terms = options.terms ?? new TermSplitter()
    // With `fuzzy` or `proximity`, words are meant as written.
    this.#synonyms =
      options.fuzzy > 0 || options.proximity !== undefined ? new Map() : (options.synonyms ?? new Map())
  }

  get leaves(): readonly Leaf[] {
    return this.#list.leaves
  }

  readings(query: Query): Reading[] {
    const near = this.#nearLeaf(query)
    if (near) return [exactReading(joinClauses('and', [this.exact(query), near]))]
    const { match } = this.#options
    const parts = hasOperator(query) ? undefined : bareParts(query)
    if (parts === undefined || match === 'all') return [exactReading(this.exact(query))]
    if (match === 'any') return [exactReading(this.#join('or', this.#asked(parts)))]
    return this.#questionReadings(parts)
  }

  /** Whether a reading would accept partial matches, without compiling any. */
  isQuestion(query: Query): boolean {
    if (this.#options.match !== 'auto' || hasOperator(query) || this.#nearLeaf(query)) return false
    return this.#asked(bareParts(query) ?? []).some(part => {
      if (part.kind !== 'term') return part.kind !== 'all'
      const { alone, parts, pairs } = this.#terms.split(part.text)
      return alone.length + parts.length + pairs.length > 0
    })
  }

  /**
   * Matches with all significant words come first, then those with some. Only if there are none are the words
   * of quoted phrases looked for one by one. Stop words such as `how` count only in a question that has no
   * others.
   */
  #questionReadings(query: readonly Query[]): Reading[] {
    const required = this.#synonymRuns(this.#asked(query)).map(({ parts, leaf, others }) => {
      const exact = joinClauses(
        'and',
        parts.map(part => this.exact(part)),
      )
      return {
        exact: leaf ? joinClauses('or', [exact, leaf]) : exact,
        // A synonym for several words together counts as if each of them were there.
        evidence: parts.flatMap(part => this.#evidence(part, others)),
        words: parts.flatMap(part => this.#wordsOf(part, others)),
        start: parts[0]!.span.start,
      }
    })
    const all = joinClauses(
      'and',
      required.map(part => part.exact),
    )
    const attempts = [required.flatMap(part => part.evidence), required.flatMap(part => part.words)].filter(
      (attempt, at, list) => attempt.length > (list[at - 1]?.length ?? 0),
    )
    // Stars and punctuation alone match everything.
    if (attempts.length === 0) return [exactReading(all)]
    const sentences = this.#sentences(required)
    return attempts.map(attempt => {
      const any = joinClauses('or', attempt)
      return { all, any, scored: countLeaves([any]), ...(sentences && { sentences }) }
    })
  }

  /** The sentences that have each leaf, as bits; undefined unless several sentences ask for something. */
  #sentences(parts: readonly AskedPart[]): ReadonlyMap<number, number> | undefined {
    const { sentenceEnds = [] } = this.#options
    if (sentenceEnds.length < 2) return undefined
    const sentences = new Map<number, number>()
    for (const { start, evidence, words } of parts) {
      const bit = 1 << sentenceEnds.findIndex(end => start < end)
      for (const leaf of countLeaves([...evidence, ...words]).keys())
        sentences.set(leaf, (sentences.get(leaf) ?? 0) | bit)
    }
    return new Set(sentences.values()).size > 1 ? sentences : undefined
  }

  /**
   * The clauses for one part of a question, of which a partial match needs only one: words, parts of
   * identifiers, pairs of characters, or a whole quoted phrase.
   */
  #evidence(query: Query, others: Others = []): Clause[] {
    if (query.kind === 'all') return []
    if (query.kind !== 'term') return [this.exact(query)]
    const { alone, parts, pairs } = this.#terms.split(query.text)
    const all = [...new Set([...alone, ...parts])]
    const significant = all.filter(word => !isStopWord(word))
    const asked = significant.length + pairs.length > 0 ? significant : all
    const whole = this.#terms.split(query.text).words
    const also = [...others, ...(whole.length > 1 ? this.#othersOf(whole) : [])]
    return [...asked.map(word => this.#list.add(this.#withOthers([word], also))), ...this.#words(pairs)]
  }

  /** Like `#evidence`, but with a phrase split into its words. */
  #wordsOf(query: Query, others?: Others): Clause[] {
    if (query.kind !== 'phrase') return this.#evidence(query, others)
    const { alone, pairs } = this.#terms.split(query.text)
    return this.#words([...alone, ...pairs])
  }

  /** Words as written, each by itself. */
  #words(words: readonly string[]): Clause[] {
    return [...new Set(words)].map(word => this.#list.add({ slots: [{ kind: 'word', word }] }))
  }

  /** The clause that a full match satisfies; adjacent words are joined by AND. */
  exact(query: Query, field?: SearchField): Clause {
    switch (query.kind) {
      case 'all':
        return { kind: 'all' }
      case 'term':
        return field
          ? this.#sequence(wordPatterns(this.#terms.split(query.text).words), field)
          : this.#term(query.text)
      case 'phrase':
        return this.#sequence(wordPatterns(this.#terms.split(query.text).words), field)
      case 'wildcard':
        return this.#sequence(wildcardPatterns(foldWord(query.pattern)), field)
      case 'not':
        return { kind: 'not', child: this.exact(query.child, field) }
      case 'or':
        return this.#join('or', query.children, field)
      case 'words':
        return field ? this.#join('and', query.children, field) : this.#adjacent(query.children)
      case 'and':
        return this.#join('and', query.children, field)
    }
  }

  #adjacent(queries: readonly Query[]): Clause {
    return joinClauses(
      'and',
      this.#synonymRuns(queries).map(({ parts, leaf }) => {
        const exact = this.#join('and', parts)
        return leaf ? joinClauses('or', [exact, leaf]) : exact
      }),
    )
  }

  /**
   * Groups adjacent words that have a synonym for all of them together, as `pull request` has `pr`. Every
   * other part is a run of its own.
   */
  #synonymRuns(queries: readonly Query[]): SynonymRun[] {
    const runs: SynonymRun[] = []
    for (let from = 0; from < queries.length; ) {
      const to = endOfRun(queries, from, { synonyms: this.#synonyms, terms: this.#terms })
      const parts = queries.slice(from, to)
      const words = parts.flatMap(part => (part.kind === 'term' ? this.#terms.split(part.text).words : []))
      runs.push(
        parts.length > 1
          ? { parts, leaf: this.#list.add(this.#withOthers(words)), others: this.#othersOf(words) }
          : { parts },
      )
      from = to
    }
    return runs
  }

  /** A leaf for the words one after another, or for a synonym of all of them. */
  #withOthers(words: readonly string[], more: Others = []): Leaf {
    const others = [...this.#othersOf(words), ...more]
    const slots = words.map(word => this.#bare(word))
    if (others.length === 0) return { slots }
    return { slots, also: others.map(other => other.map(word => this.#bare(word))) }
  }

  #othersOf(words: readonly string[]): Others {
    return this.#synonyms.get(synonymKey(words)) ?? []
  }

  #join(kind: 'and' | 'or', queries: readonly Query[], field?: SearchField): Clause {
    return joinClauses(
      kind,
      queries.map(query => this.exact(query, field)),
    )
  }

  /** A bare term. An identifier matches however its words are joined: `getUserName`, `get_user_name`. */
  #term(text: string): Clause {
    const { words, parts } = this.#terms.split(text)
    const written: Clause = words.length === 0 ? { kind: 'all' } : this.#list.add(this.#withOthers(words))
    if (words.length > 1)
      return joinClauses('or', [written, this.#list.add({ slots: [this.#bare(words.join(''))] })])
    if (parts.length > 1)
      return joinClauses('or', [written, this.#sequence(parts.map(part => this.#bare(part)))])
    return written
  }

  #bare(word: string): Pattern {
    const { fuzzy } = this.#options
    return fuzzy > 0
      ? { kind: 'fuzzy', word, distance: fuzzy, most: EXPANSION_CAP.fuzzy }
      : { kind: 'stem', word }
  }

  #sequence(slots: readonly Pattern[], field?: SearchField): Clause {
    // A text without words, such as the phrase "--", matches everything.
    return slots.length === 0 ? { kind: 'all' } : this.#list.add({ slots, ...(field && { field }) })
  }

  #nearLeaf(query: Query): Clause | undefined {
    const { proximity, fuzzy } = this.#options
    if (proximity === undefined) return undefined
    const words = [...new Set(requiredTerms(query).flatMap(term => this.#terms.split(term).words))]
    if (words.length < 2) return undefined
    const slots = words.map(word => (fuzzy > 0 ? this.#bare(word) : { kind: 'word' as const, word }))
    return this.#list.add({ slots, near: proximity })
  }

  /** The parts that a question asks for: all but stop words such as `how`, unless there is nothing else. */
  #asked(parts: readonly Query[]): readonly Query[] {
    const { ignored } = this.#options
    const isQuestionWord = (part: Query) =>
      part.kind === 'term' &&
      this.#terms.split(part.text).words.every(word => isStopWord(word) || ignored?.has(word))
    const asked = parts.filter(part => !isQuestionWord(part))
    return asked.length > 0 ? asked : parts
  }
}

/** What a question asks for in one place of its text. */
interface AskedPart {
  readonly start: number
  readonly evidence: readonly Clause[]
  readonly words: readonly Clause[]
}

interface SynonymRun {
  readonly parts: readonly Query[]
  /** Only for several parts: matches the words in order, or a synonym for all of them. */
  readonly leaf?: Clause
  readonly others?: Others
}

/** Synonyms, each as words in order. */
type Others = readonly (readonly string[])[]

function exactReading(all: Clause): Reading {
  return { all, scored: countLeaves([all]) }
}
