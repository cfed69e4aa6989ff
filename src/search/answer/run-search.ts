// Answers a search: leaves to documents, clauses to sets, scores, order, page. Counts of words and documents are summed over
// all spaces before anything is scored, so that equal text has equal scores in every space.
import { ITEM_TYPES, type ItemType } from '../../item/index.ts'
import { compileQuery } from '../match/compile-query.ts'
import type { CompiledQuery, LeafCounts, Reading } from '../match/compiled-query.ts'
import { DocSet } from '../match/doc-set.ts'
import { TopHits } from '../match/top-hits.ts'
import { fieldWeights } from '../rank/field-weights.ts'
import {
  leafShares,
  measureCollection,
  rarity,
  roundScore,
  type Scale,
  scoreDocuments,
} from '../rank/score.ts'
import { nameKey } from '../text/name-key.ts'
import { type AskedType, askedType } from '../text/type-words.ts'
import { filterDocs } from './filter-docs.ts'
import { compareHits, groupByTier, type Hit, scoreFloor, TIER } from './hit.ts'
import { LeafMatches } from './leaf-matches.ts'
import type { Evidence } from './matched-words.ts'
import { MeaningScores } from './meaning-scores.ts'
import { findNamed } from './named-items.ts'
import { cappedPatterns, unknownWords } from './query-hints.ts'
import { readPage } from './read-page.ts'
import { saidNames } from './said-names.ts'
import type { SearchAnswer, SearchRequest } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'
import { weakBelow } from './weak-hits.ts'

export function runSearch(spaces: readonly OpenSpace[], request: SearchRequest): Omit<SearchAnswer, 'reset'> {
  const asked = findAskedType(spaces, request)
  const compiled = compileQuery(request.query, { ...request, ...(asked && { ignored: asked.words }) })
  const search = new Search(spaces, { ...request, asked }, compiled)
  const { hits, signedAfter, total, weaker, scored } = search.find()
  const evidence = search.evidence(scored)
  const rows = readPage(spaces, hits, evidence)
  const least = request.wantsSigned?.(rows)
  if (least !== undefined) rows.push(...readPage(spaces, signedAfter(least), evidence))
  return {
    rows,
    total,
    weaker,
    byMeaning: search.byMeaning,
    capped: cappedPatterns(spaces, compiled.leaves),
    unknown: total === 0 ? unknownWords(spaces, compiled.leaves) : [],
  }
}

/** The type that a question asks for, where there are items of it to choose. */
function findAskedType(
  spaces: readonly OpenSpace[],
  { text, match, scope, spaces: wanted }: SearchRequest,
): AskedType | undefined {
  if (match !== 'auto' || scope.type !== 'all') return undefined
  const asked = askedType(nameKey(text).split(' '))
  const has = ({ space, reader }: OpenSpace) =>
    asked && wanted.includes(space) && reader.docsOfType(typeNumber(asked.type)).members().length > 0
  return spaces.some(has) ? asked : undefined
}

function typeNumber(type: ItemType): number {
  return 1 + ITEM_TYPES.indexOf(type)
}

/** How much a partial match of another type than the one asked for counts. */
const OTHER_TYPE = 0.75
/** The hits by which an answer is judged, on whatever page. */
const JUDGED = 10

/** The most hits that are added to a page because they may be signed. */
const MAX_SIGNED = 100

interface Found {
  /** Of the page. */
  readonly hits: readonly Hit[]
  /** Hits after them in the tier of the last, with at least this score, that may be signed. */
  signedAfter(least: number): readonly Hit[]
  readonly total: number
  readonly weaker: number
  readonly scored: LeafCounts
}

/** Documents of one tier of one space. */
interface TierDocs {
  readonly at: number
  readonly tier: number
  readonly docs: Uint32Array
  readonly scores: Float64Array
}

interface Request extends SearchRequest {
  readonly asked: AskedType | undefined
}

class Search {
  readonly #spaces: readonly OpenSpace[]
  readonly #request: Request
  readonly #compiled: CompiledQuery
  readonly #scale: Scale
  readonly #matches: LeafMatches
  readonly #meaning: MeaningScores

  constructor(spaces: readonly OpenSpace[], request: Request, compiled: CompiledQuery) {
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
    const { text, query, match, asked } = this.#request
    const said = match === 'auto' ? saidNames(text, asked?.words ?? new Set()) : []
    const named = findNamed(this.#spaces, { text, query, said }, allowed)
    for (const reading of this.#compiled.readings) {
      const found = this.#read(reading, allowed, named)
      if (found.total > 0) return found
    }
    return { hits: [], signedAfter: () => [], total: 0, weaker: 0, scored: new Map() }
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
    const allowed = reader.docsOfType(scope.type === 'all' ? 0 : typeNumber(scope.type)).copy()
    if (scope.namespace !== '')
      allowed.keep(DocSet.of(reader.capacity, reader.items.docsBelow(scope.namespace, scope.self)))
    const { only } = this.#compiled
    if (only.kind !== 'all') allowed.keep(this.#matches.evaluate(only, at))
    return allowed
  }

  #read(reading: Reading, allowed: readonly DocSet[], named: readonly ReadonlyMap<number, number>[]): Found {
    const { offset, limit, sortBy, filters, asked } = this.#request
    const top = new TopHits(Math.max(JUDGED, offset + limit), compareHits(this.#spaces, sortBy))
    const tiers: TierDocs[] = []
    let total = 0
    this.#spaces.forEach(({ reader }, at) => {
      if (reader.totals.documents === 0) return
      const full = this.#matches.evaluate(reading.all, at).keep(allowed[at]!)
      const found = reading.any
        ? this.#matches.evaluate(reading.any, at).keep(allowed[at]!).unite(full)
        : full.copy()
      const scores = this.#score(reading, at)
      if (reading.any) this.#meaning.addTo({ found, scores, allowed: allowed[at]! }, at)
      const ofType = asked && reader.docsOfType(typeNumber(asked.type))
      for (const [tier, docs] of groupByTier({ found, full, named: named[at]!, asked: ofType }).entries()) {
        const passed = filterDocs(reader.items, docs, filters)
        total += passed.length
        if (tier === TIER.some && ofType) lower(scores, passed, ofType)
        const ofTier = { at, tier, docs: passed, scores }
        tiers.push(ofTier)
        this.#offer(top, ofTier)
      }
    })
    const hits = top.sorted()
    const weak = this.#weakBelow(reading, hits)
    const isShown = (hit: Hit, at: number) => hit.tier !== TIER.some || hit.score >= weak || at === 0
    const weaker =
      weak === 0 ? 0 : countBelow(tiers, weak) - (hits[0]?.tier === TIER.some && hits[0].score < weak ? 1 : 0)
    const page = hits.filter(isShown).slice(offset, offset + limit)
    const last = page.at(-1)
    // What was left out as weak does not come back for being signed.
    const bound = last?.tier === TIER.some ? weak : 0
    const signedAfter = (least: number) => this.#signedAfter(last, tiers, Math.max(least, bound))
    return { hits: page, signedAfter, total, weaker, scored: reading.scored }
  }

  #signedAfter(last: Hit | undefined, tiers: readonly TierDocs[], least: number): Hit[] {
    if (last === undefined || this.#request.sortBy !== 'score') return []
    const compare = compareHits(this.#spaces, 'score')
    const top = new TopHits(MAX_SIGNED, compare)
    for (const { at, tier, docs, scores } of tiers) {
      if (tier !== last.tier) continue
      const mayBeSigned = this.#spaces[at]!.reader.items.mayBeSigned()
      for (const doc of docs) {
        const hit = { at, doc, tier, score: shownScore(tier, scores[doc]!) }
        if (mayBeSigned[doc] && hit.score >= least && compare(hit, last) > 0) top.offer(hit)
      }
    }
    return top.sorted()
  }

  /** The score below which partial matches of a question are left out; 0 for none. Meaning has a scale of its own. */
  #weakBelow(reading: Reading, hits: readonly Hit[]): number {
    const best = hits.slice(0, JUDGED)
    if (!reading.any || this.byMeaning || best.length === 0 || this.#request.sortBy !== 'score') return 0
    const { documents } = this.#scale.collection
    const leaves = Array.from(reading.scored, ([leaf, times]) => ({ times, ...this.#matches.of(leaf) }))
    const shares = leafShares(leaves, documents)
    const bound = shares.reduce((sum, share) => sum + share, 0)
    const coveredBy = ({ at, doc }: Hit) =>
      leaves.reduce((sum, { sets }, leaf) => sum + (sets[at]!.has(doc) ? shares[leaf]! : 0), 0) / bound
    // With an item that is named, or has all words, there is an answer.
    const isPartial = best[0]!.tier === TIER.some
    return weakBelow(
      { bound, rarest: rarity(0, documents), documents },
      {
        score: Math.max(...best.map(hit => hit.score)),
        covered: Math.max(...best.map(coveredBy)),
        coveredByFirst: isPartial ? coveredBy(best[0]!) : 1,
      },
    )
  }

  #offer(top: TopHits<Hit>, { at, tier, docs, scores }: TierDocs): void {
    const isByScore = this.#request.sortBy === 'score'
    let floor = isByScore ? scoreFloor(tier, top.worst) : Number.NEGATIVE_INFINITY
    for (let index = 0; index < docs.length; index++) {
      const doc = docs[index]!
      // Most documents stop here, before an object is made for them.
      if (scores[doc]! < floor) continue
      top.offer({ at, doc, tier, score: shownScore(tier, scores[doc]!) })
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

function lower(scores: Float64Array, docs: Uint32Array, asked: DocSet): void {
  for (const doc of docs) if (!asked.has(doc)) scores[doc]! *= OTHER_TYPE
}

/** Named items have the highest score, whatever their words. */
function shownScore(tier: number, score: number): number {
  return tier < TIER.all ? 1 : roundScore(score)
}

/** How many partial matches score less. */
function countBelow(tiers: readonly TierDocs[], bound: number): number {
  let count = 0
  for (const { tier, docs, scores } of tiers) {
    if (tier !== TIER.some) continue
    for (let index = 0; index < docs.length; index++) if (roundScore(scores[docs[index]!]!) < bound) count++
  }
  return count
}
