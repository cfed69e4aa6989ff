// The search itself, over open readers: leaves to documents, clauses to sets, scores, order, page. Counts of words and
// documents are summed over all spaces before anything is scored, so equal text scores equal wherever it lies.
import { ITEM_TYPES, idProblem } from '../../item/index.ts'
import type { Query } from '../../query/index.ts'
import { compileQuery } from '../match/compile-query.ts'
import type { Clause, Emphasis, EngineQuery, Leaf, Pattern, Reading } from '../match/compiled-query.ts'
import { DocSet } from '../match/doc-set.ts'
import { evaluateClause, matchLeaf } from '../match/match-leaf.ts'
import type { Postings } from '../match/postings/postings.ts'
import { TopHits } from '../match/top-hits.ts'
import { cosines, fuseScores, type VectorTable } from '../rank/cosine.ts'
import { fieldWeights } from '../rank/field-weights.ts'
import { measureCollection, roundScore, type Scale, scoreDocuments } from '../rank/score.ts'
import { nameKey } from '../text/name-key.ts'
import { filterDocs } from './filter-docs.ts'
import { type Hit, type OpenSpace, TIER } from './hit.ts'
import type { Evidence } from './matched-words.ts'
import { readPage } from './read-page.ts'
import type { SearchAnswer, SearchRequest } from './search-request.ts'

/** Nearest words are looked for to this many unknown ones: each is compared with all words there are. */
const UNKNOWN_WORDS = 8
/** More than rounding can add to a score. */
const ROUNDING = 0.0001
/** How many items of each space a question may find by meaning alone. */
const NEIGHBOURS = 50

export function runSearch(spaces: readonly OpenSpace[], request: SearchRequest): Omit<SearchAnswer, 'reset'> {
  const engine = compileQuery(request.query, request)
  const search = new Search(spaces, request, engine)
  const found = search.find()
  return {
    rows: readPage(spaces, found.hits, search.evidence(found.scored)),
    total: found.total,
    byMeaning: search.byMeaning,
    capped: search.capped(),
    unknown: found.total === 0 ? search.unknown() : [],
  }
}

interface LeafMatches {
  readonly postings: readonly Postings[]
  readonly sets: readonly DocSet[]
  /** Documents of all spaces that match. */
  readonly holders: number
}

interface Found {
  readonly hits: readonly Hit[]
  readonly total: number
  readonly scored: Emphasis
}

class Search {
  readonly #spaces: readonly OpenSpace[]
  readonly #request: SearchRequest
  readonly #engine: EngineQuery
  readonly #scale: Scale
  /** The embeddings of each space that can be compared with that of the question. */
  readonly #vectors: readonly VectorTable[]
  /** Without anything to compare, scores are those of words alone, not a part of them. */
  readonly byMeaning: boolean
  /** By leaf, then by space; a leaf of a reading that is not needed is never looked for. */
  readonly #found: LeafMatches[] = []

  constructor(spaces: readonly OpenSpace[], request: SearchRequest, engine: EngineQuery) {
    this.#spaces = spaces
    this.#request = request
    this.#engine = engine
    this.#scale = {
      weights: [[], ...ITEM_TYPES.map(type => request.weights.get(type) ?? fieldWeights(undefined))],
      collection: measureCollection(spaces.map(({ reader }) => reader.totals)),
    }
    const { vector } = request
    const isRelaxed = engine.readings.some(reading => reading.any !== undefined)
    this.#vectors =
      vector && isRelaxed
        ? spaces.map(({ reader }) => reader.vectors(vector.model, vector.values.length))
        : []
    this.byMeaning = this.#vectors.some(
      ({ docs }, at) => docs.length > 0 && request.spaces.includes(spaces[at]!.space),
    )
  }

  find(): Found {
    const allowed = this.#spaces.map((open, at) =>
      this.#request.spaces.includes(open.space) ? this.#allowed(at) : new DocSet(open.reader.capacity),
    )
    const exact = this.#exact(allowed)
    for (const reading of this.#engine.readings) {
      const found = this.#read(reading, allowed, exact)
      if (found.total > 0) return found
    }
    return { hits: [], total: 0, scored: new Map() }
  }

  /** What stands behind the hits: the leaves that speak for them, and where these were found. */
  evidence(scored: Emphasis): Evidence[] {
    return [...scored.keys()].map(leaf => ({
      leaf: this.#engine.leaves[leaf]!,
      postings: this.#matches(leaf).postings,
    }))
  }

  /** Patterns of which only the closest words were used. */
  capped(): string[] {
    return patternsOf(this.#engine.leaves)
      .filter(({ kind }) => kind === 'wildcard' || kind === 'fuzzy')
      .filter(pattern => this.#spaces.some(({ reader }) => reader.expand(pattern).capped))
      .map(textOf)
  }

  unknown(): { word: string; nearest: string[] }[] {
    const words = patternsOf(this.#engine.leaves).flatMap(pattern => {
      if (pattern.kind !== 'stem' && pattern.kind !== 'word') return []
      return this.#spaces.some(({ reader }) => reader.hasMatch(pattern)) ? [] : [pattern.word]
    })
    return words.slice(0, UNKNOWN_WORDS).map(word => {
      const near = this.#spaces.flatMap(({ reader }) => reader.nearest(word))
      return { word, nearest: [...new Set(near)].slice(0, 3) }
    })
  }

  #read(reading: Reading, allowed: readonly DocSet[], exact: readonly Map<number, number>[]): Found {
    const { offset, limit, sortBy } = this.#request
    const top = new TopHits(offset + limit, compareHits(this.#spaces, sortBy))
    let total = 0
    this.#spaces.forEach(({ reader }, at) => {
      if (reader.totals.documents === 0) return
      const full = this.#evaluate(reading.all, at).keep(allowed[at]!)
      const found = reading.any ? this.#evaluate(reading.any, at).keep(allowed[at]!).unite(full) : full.copy()
      const scores = this.#score(reading, at)
      if (reading.any) this.#addMeaning(at, { found, scores, allowed: allowed[at]! })
      for (const [tier, docs] of tiersOf(found, full, exact[at]!).entries()) {
        const passed = filterDocs(reader.items, docs, this.#request.filters)
        total += passed.length
        this.#offer(top, { at, tier, docs: passed, scores })
      }
    })
    return { hits: top.sorted().slice(offset), total, scored: reading.scored }
  }

  #offer(
    top: TopHits<Hit>,
    { at, tier, docs, scores }: { at: number; tier: number; docs: Uint32Array; scores: Float64Array },
  ): void {
    const { sortBy } = this.#request
    let floor = sortBy === 'score' ? floorOf(tier, top.worst) : Number.NEGATIVE_INFINITY
    for (let index = 0; index < docs.length; index++) {
      const doc = docs[index]!
      // Most documents end here, before anything is made of them.
      if (scores[doc]! < floor) continue
      top.offer({ at, doc, tier, score: tier < TIER.all ? 1 : roundScore(scores[doc]!) })
      if (sortBy === 'score') floor = floorOf(tier, top.worst)
    }
  }

  #evaluate(clause: Clause, at: number): DocSet {
    const all = this.#spaces[at]!.reader.docsOfType(0)
    return evaluateClause(clause, leaf => this.#matches(leaf).sets[at]!, all)
  }

  #matches(leaf: number): LeafMatches {
    const known = this.#found[leaf]
    if (known) return known
    const postings = this.#spaces.map(({ reader }) => matchLeaf(reader, this.#engine.leaves[leaf]!))
    const sets = postings.map(({ docs }, at) => DocSet.of(this.#spaces[at]!.reader.capacity, docs))
    const holders = postings.reduce((sum, { docs }) => sum + docs.length, 0)
    const matches = { postings, sets, holders }
    this.#found[leaf] = matches
    return matches
  }

  #score(reading: Reading, at: number): Float64Array {
    const { reader } = this.#spaces[at]!
    const leaves = Array.from(reading.scored, ([leaf, times]) => {
      const { postings, holders } = this.#matches(leaf)
      const list = postings[at]!
      return { docs: list.docs, strengths: reader.strengths(list, this.#scale), holders, times }
    })
    scoreDocuments(reader.scores, leaves, this.#scale.collection.documents)
    return reader.scores
  }

  /** Adds the cosine to the scores of a question, and its nearest items to what its words found. */
  #addMeaning(at: number, target: { found: DocSet; scores: Float64Array; allowed: DocSet }): void {
    const { vector } = this.#request
    const table = this.#vectors[at]
    if (!vector || !table || !this.byMeaning) return
    const near = cosines(table, vector.values)
    const nearest = new TopHits<number>(NEIGHBOURS, (a, b) => near[b]! - near[a]! || a - b)
    const meanings = new Float64Array(target.scores.length)
    table.docs.forEach((doc, row) => {
      meanings[doc] = near[row]!
      if (near[row]! > 0 && target.allowed.has(doc)) nearest.offer(row)
    })
    for (const row of nearest.sorted()) target.found.add(table.docs[row]!)
    for (let doc = 0; doc < meanings.length; doc++) {
      target.scores[doc] = fuseScores(target.scores[doc]!, meanings[doc]!)
    }
  }

  /** What scope and fields admit: neither a name nor a meaning lifts that. */
  #allowed(at: number): DocSet {
    const { reader } = this.#spaces[at]!
    const { scope } = this.#request
    const allowed = reader.docsOfType(scope.type === 'all' ? 0 : 1 + ITEM_TYPES.indexOf(scope.type)).copy()
    if (scope.namespace !== '')
      allowed.keep(DocSet.of(reader.capacity, reader.items.docsBelow(scope.namespace, scope.self)))
    if (this.#engine.only.kind !== 'all') allowed.keep(this.#evaluate(this.#engine.only, at))
    return allowed
  }

  /** Items whose id or name is the query itself, by document: their tier. */
  #exact(allowed: readonly DocSet[]): Map<number, number>[] {
    const { text, query } = this.#request
    const id = text.trim()
    const key = nameKey(id)
    const isId = idProblem(id) === undefined
    return this.#spaces.map(({ reader }, at) => {
      const found = new Map<number, number>()
      if (id === '' || !isPlainWords(query) || reader.totals.documents === 0) return found
      const place = (docs: readonly number[], tier: number) => {
        for (const doc of docs) if (allowed[at]!.has(doc)) found.set(doc, tier)
      }
      const spellings = reader.items.docsOfName(key)
      place(spellings, TIER.spelling)
      if (spellings.length > 0) place(reader.items.docsSpelt(key, id), TIER.name)
      if (isId) place(reader.items.docsOfId(id), TIER.id)
      return found
    })
  }
}

/** The documents of each tier; both sets are used up. */
function tiersOf(found: DocSet, full: DocSet, named: ReadonlyMap<number, number>): Uint32Array[] {
  const partial = found.remove(full)
  const first: number[][] = [[], [], []]
  for (const [doc, tier] of named) {
    first[tier]!.push(doc)
    full.delete(doc)
    partial.delete(doc)
  }
  return [...first.map(docs => Uint32Array.from(docs)), full.members(), partial.members()]
}

/** The score below which a document of this tier is worse than the worst that is kept. Of names all scores are 1. */
function floorOf(tier: number, worst: Hit | undefined): number {
  if (worst === undefined || tier < TIER.all || tier < worst.tier) return Number.NEGATIVE_INFINITY
  return tier > worst.tier ? Number.POSITIVE_INFINITY : worst.score - ROUNDING
}

/** Best first; then by precedence of the space, then by id. Other orders keep full matches before partial ones. */
function compareHits(
  spaces: readonly OpenSpace[],
  sortBy: SearchRequest['sortBy'],
): (a: Hit, b: Hit) => number {
  // Asked for when two are equal in all else, which seldom happens.
  const rank = ({ at, doc }: Hit) => spaces[at]!.reader.items.idRanks()[doc]!
  const byPlace = (a: Hit, b: Hit) => a.at - b.at || rank(a) - rank(b)
  if (sortBy === 'score') return (a, b) => a.tier - b.tier || b.score - a.score || byPlace(a, b)
  const byCompleteness = (a: Hit, b: Hit) => Math.max(a.tier, TIER.all) - Math.max(b.tier, TIER.all)
  if (sortBy === 'date') {
    const dates = spaces.map(({ reader }) => reader.items.dates())
    return (a, b) => byCompleteness(a, b) || dates[b.at]![b.doc]! - dates[a.at]![a.doc]! || byPlace(a, b)
  }
  const names = spaces.map(({ reader }) => reader.items.names())
  return (a, b) =>
    byCompleteness(a, b) || compareTexts(names[a.at]![a.doc]!, names[b.at]![b.doc]!) || byPlace(a, b)
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function isPlainWords(query: Query): boolean {
  return query.kind === 'term' || (query.kind === 'words' && query.children.every(isPlainWords))
}

function patternsOf(leaves: readonly Leaf[]): Pattern[] {
  const seen = new Map<string, Pattern>()
  for (const leaf of leaves) for (const slot of leaf.slots) seen.set(`${slot.kind} ${textOf(slot)}`, slot)
  return [...seen.values()]
}

function textOf(pattern: Pattern): string {
  return pattern.kind === 'wildcard' ? pattern.pattern : pattern.word
}
