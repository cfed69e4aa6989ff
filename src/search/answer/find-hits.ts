// One search over the spaces: turns leaves into documents and clauses into sets, scores and orders them, and
// cuts the page. Counts of words and documents are summed over all spaces before anything is scored, so that
// equal text has equal scores in every space.
import { ITEM_TYPES } from '../../item/index.ts'
import type { CompiledQuery, LeafCounts, Reading } from '../match/compiled-query.ts'
import { DocSet } from '../match/doc-set.ts'
import { matchLeaf } from '../match/match-leaf.ts'
import { TopHits } from '../match/top-hits.ts'
import { fillCoverage } from '../rank/coverage.ts'
import { fieldWeights } from '../rank/field-weights.ts'
import { leafShares, measureCollection, rarity, type Scale, scoreDocuments } from '../rank/score.ts'
import { scoreSentences } from '../rank/sentences.ts'
import type { AskedType } from '../text/type-words.ts'
import { typeNumber } from './asked-type.ts'
import { type Collapsed, collapseCopies, countDocs, type TierDocs } from './collapse-copies.ts'
import type { Copies } from './copies.ts'
import { narrow } from './facets.ts'
import { filterDocs, keepSigned } from './filter-docs.ts'
import { compareHits, groupByTier, type Hit, TIER } from './hit.ts'
import { LeafMatches } from './leaf-matches.ts'
import type { Evidence } from './matched-words.ts'
import { MeaningScores } from './meaning-scores.ts'
import { findNamed } from './named-items.ts'
import { saidNames } from './said-names.ts'
import type { FacetCounts, SearchRequest, SignedHits } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'
import { countWeak, listNarrowed, lower, OTHER_TYPE, offerTier, signedHitsAfter } from './tier-hits.ts'
import { boundOf, NOTHING_WEAK, type WeakBelow, weakBelow } from './weak-hits.ts'

/** Below this cosine, an item that has none of the words is not an answer. */
const FAR = 0.4
/** How many of the first hits an answer is judged by, whatever its page. */
const JUDGED = 10

interface Found extends Pick<Collapsed, 'membersOf'> {
  /** The hits of the page. */
  readonly hits: readonly Hit[]
  /** Hits after them that may be signed, best first. */
  signedAfter(wanted: SignedHits): readonly Hit[]
  readonly total: number
  readonly weaker: number
  readonly unsigned: number
  readonly scored: LeafCounts
  readonly facets?: FacetCounts
}

const NOTHING_FOUND: Found = {
  hits: [],
  membersOf: () => undefined,
  signedAfter: () => [],
  total: 0,
  weaker: 0,
  unsigned: 0,
  scored: new Map(),
}

type Memory = Pick<OpenSpace['reader'], 'scores' | 'spare'>

export interface AskedRequest extends SearchRequest {
  readonly asked: AskedType | undefined
  readonly copies: () => Copies
}

export class Search {
  readonly #spaces: readonly OpenSpace[]
  readonly #request: AskedRequest
  readonly #compiled: CompiledQuery
  readonly #scale: Scale
  readonly #matches: LeafMatches
  readonly meaning: MeaningScores

  constructor(spaces: readonly OpenSpace[], request: AskedRequest, compiled: CompiledQuery) {
    this.#spaces = spaces
    this.#request = request
    this.#compiled = compiled
    this.#matches = new LeafMatches(spaces, compiled.leaves)
    this.#scale = {
      weights: [[], ...ITEM_TYPES.map(type => request.weights.get(type) ?? fieldWeights(undefined))],
      collection: {
        ...measureCollection(spaces.map(({ reader }) => reader.totals)),
        documents: spaces.reduce(
          (sum, { reader, statistics }) => sum + (statistics ?? reader.totals).documents,
          0,
        ),
      },
    }
    const asked = this.#isDecidedByWord(compiled) ? { ...request, vector: undefined } : request
    this.meaning = new MeaningScores(spaces, asked, compiled, this.#scale.collection.documents)
  }

  find(): Found {
    const allowed = this.#spaces.map(({ space, reader }, at) =>
      this.#request.spaces.includes(space) ? this.#allowed(at) : new DocSet(reader.capacity),
    )
    const { text, query, match, asked } = this.#request
    const said = match === 'auto' ? saidNames(text, asked?.words ?? new Set()) : []
    const named = findNamed(this.#spaces, { text, query, said }, allowed)
    if (this.#request.needsAllWords && !this.#hasAllWords(allowed, named)) return NOTHING_FOUND
    for (const reading of this.#compiled.readings) {
      const found = this.#read(reading, allowed, named)
      if (found) return found
    }
    return NOTHING_FOUND
  }

  /**
   * Whether any item has all words, or is named. The first reading is enough: every reading of a query asks
   * for the same.
   */
  #hasAllWords(allowed: readonly DocSet[], named: readonly ReadonlyMap<number, number>[]): boolean {
    const all = this.#compiled.readings[0]?.all
    return this.#spaces.some(
      (_, at) =>
        named[at]!.size > 0 || (all && !this.#matches.evaluate(all, at).keep(allowed[at]!).isEmpty()),
    )
  }

  /** The documents of a space that may be verified. */
  readonly signed = (at: number) => this.#spaces[at]!.reader.items.mayBeVerified(this.#request.approved)

  /**
   * How much of the score of a hit is meaning, from 0 to 1. If the score was lowered because of the hit's
   * type, that is undone first.
   */
  shareOf(hit: Hit): number | undefined {
    const { asked } = this.#request
    const isAsked = !asked || this.#spaces[hit.at]!.reader.docsOfType(typeNumber(asked.type)).has(hit.doc)
    return this.meaning.shareOf(isAsked ? hit : { ...hit, score: hit.score / OTHER_TYPE })
  }

  /** The leaves that counted for the score of the hits, and where they were found. */
  evidence(scored: LeafCounts): Evidence[] {
    return [...scored.keys()].flatMap((number): Evidence[] => {
      const leaf = this.#compiled.leaves[number]!
      if (!leaf.also) return [{ leaf, postings: this.#matches.of(number).postings }]
      return [leaf.slots, ...leaf.also].map(slots => ({
        leaf: { slots },
        postings: this.#spaces.map(({ reader }) => matchLeaf(reader, { slots })),
      }))
    })
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

  #read(
    reading: Reading,
    allowed: readonly DocSet[],
    named: readonly ReadonlyMap<number, number>[],
  ): Found | undefined {
    const { offset, limit, sortBy, filters, asked, onlySigned } = this.#request
    const all: TierDocs[] = []
    let unsigned = 0
    this.#spaces.forEach(({ reader }, at) => {
      if (reader.totals.documents === 0) return
      const full = this.#matches.evaluate(reading.all, at).keep(allowed[at]!)
      const found = reading.any
        ? this.#matches.evaluate(reading.any, at).keep(allowed[at]!).unite(full)
        : full.copy()
      const { scores, spare } = (reading.any && this.meaning.memoryOf(at)) || reader
      const bound = this.#score(reading, at, { scores, spare })
      if (reading.any) this.meaning.addTo({ found, scores, covered: spare, allowed: allowed[at]!, bound }, at)
      const ofType = asked && reader.docsOfType(typeNumber(asked.type))
      for (const group of groupByTier({ found, full, named: named[at]!, asked: ofType })) {
        const filtered = filterDocs(reader.items, group.docs, filters)
        const passed = onlySigned ? keepSigned(this.signed(at), filtered) : filtered
        unsigned += filtered.length - passed.length
        if (group.tier === TIER.found && ofType) lower(scores, passed, ofType)
        all.push({ ...group, at, docs: passed, scores })
      }
    })
    const { tiers, membersOf } = this.#collapse(all)
    const top = new TopHits(Math.max(JUDGED, offset + limit), compareHits(this.#spaces, sortBy))
    for (const group of tiers) offerTier(top, group, sortBy)
    const hits = top.sorted()
    const total = countDocs(tiers)
    const weak = this.#weakBelow(reading, hits)
    const [first] = hits
    const isNear = first !== undefined && (this.meaning.cosineOf(first) ?? 0) >= FAR
    // Only the best hit would be shown, so it must have a word of the question, or be near enough in meaning.
    if (weak.partial === Number.POSITIVE_INFINITY && !isNear && !this.#hasWord(reading)) return undefined
    if (total + unsigned === 0) return undefined
    const { facets } = this.#request
    const narrowed =
      facets && narrow(this.#spaces, all, { facets, weak, first, copies: this.#request.copies() })
    const rest = { unsigned, scored: reading.scored, ...(narrowed && { facets: narrowed.counts }) }
    if (narrowed && facets.some(({ chosen }) => chosen !== undefined))
      return {
        ...listNarrowed(this.#spaces, this.#collapse(narrowed.tiers), narrowed, {
          ...this.#request,
          signed: this.signed,
        }),
        ...rest,
      }
    const shown = hits.filter((hit, at) => at === 0 || hit.score >= boundOf(hit, at, weak))
    const kept = shown.filter(hit => hit.score < boundOf(hit, Number.POSITIVE_INFINITY, weak)).length
    const weaker = countWeak(tiers, weak) - kept
    const page = shown.slice(offset, offset + limit)
    const signedAfter = (wanted: SignedHits) =>
      signedHitsAfter(this.#spaces, tiers, { last: page.at(-1), wanted, weak, sortBy, signed: this.signed })
    return { hits: page, membersOf, signedAfter, total, weaker, ...rest }
  }

  #collapse(tiers: readonly TierDocs[]): Collapsed {
    if (countDocs(tiers) < 2) return { tiers, membersOf: () => undefined }
    return collapseCopies(this.#spaces, tiers, { copies: this.#request.copies(), signed: this.signed })
  }

  /** The scores below which matches of a question are left out. */
  #weakBelow(reading: Reading, hits: readonly Hit[]): WeakBelow {
    const best = hits.slice(0, JUDGED)
    if (!reading.any || best.length === 0 || this.#request.sortBy !== 'score') return NOTHING_WEAK
    const { documents } = this.#scale.collection
    const leaves = Array.from(reading.scored, ([leaf, times]) => ({ times, ...this.#matches.of(leaf) }))
    const { shares, bound } = leafShares(leaves, documents)
    const coveredBy = ({ at, doc }: Hit) =>
      leaves.reduce((sum, { sets }, leaf) => sum + (sets[at]!.has(doc) ? shares[leaf]! : 0), 0) / bound
    const below = weakBelow(
      {
        words: leaves.length,
        bound,
        share: this.meaning.share,
        rarest: rarity(0, documents),
        documents,
      },
      best.map(hit => ({
        score: hit.score,
        covered: coveredBy(hit),
        cosine: this.meaning.cosineOf(hit),
        isPartial: hit.isPartial,
      })),
    )
    return this.#request.isBrief ? below : { ...below, clear: 0 }
  }

  #hasWord({ scored }: Reading): boolean {
    return [...scored.keys()].some(leaf => this.#matches.of(leaf).holders > 0)
  }

  /**
   * Whether the question is one word that items have. Then those items are wanted, and meaning does not
   * count.
   */
  #isDecidedByWord({ readings }: CompiledQuery): boolean {
    const scored = [...(readings[0]?.scored.keys() ?? [])]
    return scored.length === 1 && this.#matches.of(scored[0]!).holders > 0
  }

  /**
   * Fills in what the words of each document of a space score, and in `spare` how much of a question it
   * covers. Returns how much all words count together.
   */
  #score(reading: Reading, at: number, { scores, spare }: Memory): number {
    const { reader } = this.#spaces[at]!
    const leaves = Array.from(reading.scored, ([leaf, times]) => {
      const { postings, holders } = this.#matches.of(leaf)
      const list = postings[at]!
      const strengths = reader.strengths(list, this.#scale)
      // A leaf that is restricted to a field belongs to no sentence.
      const sentences = reading.sentences?.get(leaf) ?? 0
      return { docs: list.docs, masks: list.masks, strengths, holders, times, sentences }
    })
    const { documents } = this.#scale.collection
    const bound = reading.sentences
      ? scoreSentences(scores, leaves, { documents, spare })
      : scoreDocuments(scores, leaves, documents)
    if (reading.any) fillCoverage(spare, leaves, documents)
    return bound
  }
}
