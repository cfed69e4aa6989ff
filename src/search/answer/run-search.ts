// Answers a search: leaves to documents, clauses to sets, scores, order, page. Counts of words and documents are summed over
// all spaces before anything is scored, so that equal text has equal scores in every space.
import { ITEM_TYPES } from '../../item/index.ts'
import { compileQuery } from '../match/compile-query.ts'
import type { CompiledQuery, LeafCounts, Reading } from '../match/compiled-query.ts'
import { DocSet } from '../match/doc-set.ts'
import { TopHits } from '../match/top-hits.ts'
import { fieldWeights } from '../rank/field-weights.ts'
import { measureCollection, roundScore, type Scale, scoreDocuments } from '../rank/score.ts'
import { filterDocs } from './filter-docs.ts'
import { compareHits, groupByTier, type Hit, scoreFloor, TIER } from './hit.ts'
import { LeafMatches } from './leaf-matches.ts'
import type { Evidence } from './matched-words.ts'
import { MeaningScores } from './meaning-scores.ts'
import { findNamed } from './named-items.ts'
import { cappedPatterns, unknownWords } from './query-hints.ts'
import { readPage } from './read-page.ts'
import type { SearchAnswer, SearchRequest } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'

export function runSearch(spaces: readonly OpenSpace[], request: SearchRequest): Omit<SearchAnswer, 'reset'> {
  const compiled = compileQuery(request.query, request)
  const search = new Search(spaces, request, compiled)
  const { hits, total, scored } = search.find()
  return {
    rows: readPage(spaces, hits, search.evidence(scored)),
    total,
    byMeaning: search.byMeaning,
    capped: cappedPatterns(spaces, compiled.leaves),
    unknown: total === 0 ? unknownWords(spaces, compiled.leaves) : [],
  }
}

interface Found {
  readonly hits: readonly Hit[]
  readonly total: number
  readonly scored: LeafCounts
}

/** Documents of one tier of one space. */
interface TierDocs {
  readonly at: number
  readonly tier: number
  readonly docs: Uint32Array
  readonly scores: Float64Array
}

class Search {
  readonly #spaces: readonly OpenSpace[]
  readonly #request: SearchRequest
  readonly #compiled: CompiledQuery
  readonly #scale: Scale
  readonly #matches: LeafMatches
  readonly #meaning: MeaningScores

  constructor(spaces: readonly OpenSpace[], request: SearchRequest, compiled: CompiledQuery) {
    this.#spaces = spaces
    this.#request = request
    this.#compiled = compiled
    this.#matches = new LeafMatches(spaces, compiled.leaves)
    this.#meaning = new MeaningScores(spaces, request, compiled)
    this.#scale = {
      weights: [[], ...ITEM_TYPES.map(type => request.weights.get(type) ?? fieldWeights(undefined))],
      collection: measureCollection(spaces.map(({ reader }) => reader.totals)),
    }
  }

  get byMeaning(): boolean {
    return this.#meaning.isUsed
  }

  find(): Found {
    const allowed = this.#spaces.map(({ space, reader }, at) =>
      this.#request.spaces.includes(space) ? this.#allowed(at) : new DocSet(reader.capacity),
    )
    const named = findNamed(this.#spaces, this.#request, allowed)
    for (const reading of this.#compiled.readings) {
      const found = this.#read(reading, allowed, named)
      if (found.total > 0) return found
    }
    return { hits: [], total: 0, scored: new Map() }
  }

  /** The leaves that counted for the score of the hits, and where they were found. */
  evidence(scored: LeafCounts): Evidence[] {
    return [...scored.keys()].map(leaf => ({
      leaf: this.#compiled.leaves[leaf]!,
      postings: this.#matches.of(leaf).postings,
    }))
  }

  /** The documents that scope and field restrictions allow, also for matches by name or meaning. */
  #allowed(at: number): DocSet {
    const { reader } = this.#spaces[at]!
    const { scope } = this.#request
    const allowed = reader.docsOfType(scope.type === 'all' ? 0 : 1 + ITEM_TYPES.indexOf(scope.type)).copy()
    if (scope.namespace !== '')
      allowed.keep(DocSet.of(reader.capacity, reader.items.docsBelow(scope.namespace, scope.self)))
    const { only } = this.#compiled
    if (only.kind !== 'all') allowed.keep(this.#matches.evaluate(only, at))
    return allowed
  }

  #read(reading: Reading, allowed: readonly DocSet[], named: readonly ReadonlyMap<number, number>[]): Found {
    const { offset, limit, sortBy, filters } = this.#request
    const top = new TopHits(offset + limit, compareHits(this.#spaces, sortBy))
    let total = 0
    this.#spaces.forEach(({ reader }, at) => {
      if (reader.totals.documents === 0) return
      const full = this.#matches.evaluate(reading.all, at).keep(allowed[at]!)
      const found = reading.any
        ? this.#matches.evaluate(reading.any, at).keep(allowed[at]!).unite(full)
        : full.copy()
      const scores = this.#score(reading, at)
      if (reading.any) this.#meaning.addTo({ found, scores, allowed: allowed[at]! }, at)
      for (const [tier, docs] of groupByTier(found, full, named[at]!).entries()) {
        const passed = filterDocs(reader.items, docs, filters)
        total += passed.length
        this.#offer(top, { at, tier, docs: passed, scores })
      }
    })
    return { hits: top.sorted().slice(offset), total, scored: reading.scored }
  }

  #offer(top: TopHits<Hit>, { at, tier, docs, scores }: TierDocs): void {
    const isByScore = this.#request.sortBy === 'score'
    let floor = isByScore ? scoreFloor(tier, top.worst) : Number.NEGATIVE_INFINITY
    for (let index = 0; index < docs.length; index++) {
      const doc = docs[index]!
      // Most documents stop here, before an object is made for them.
      if (scores[doc]! < floor) continue
      top.offer({ at, doc, tier, score: tier < TIER.all ? 1 : roundScore(scores[doc]!) })
      if (isByScore) floor = scoreFloor(tier, top.worst)
    }
  }

  #score(reading: Reading, at: number): Float64Array {
    const { reader } = this.#spaces[at]!
    const leaves = Array.from(reading.scored, ([leaf, times]) => {
      const { postings, holders } = this.#matches.of(leaf)
      const list = postings[at]!
      return { docs: list.docs, strengths: reader.strengths(list, this.#scale), holders, times }
    })
    scoreDocuments(reader.scores, leaves, this.#scale.collection.documents)
    return reader.scores
  }
}
