// Why each hit of a page matched: the words of it that did, by field, and what its preview is to show.
import { escapeHidden } from '../../base/index.ts'
import { SEARCH_FIELDS, type SearchField } from '../../query/index.ts'
import type { Leaf, Pattern } from '../match/compiled-query.ts'
import { findMask, type Postings } from '../match/postings/postings.ts'
import type { Hit, OpenSpace } from './hit.ts'
import type { StoredSpace } from './stored-space.ts'

export type Matched = Partial<Record<SearchField, string[]>>

export interface Reason {
  /** As shown. */
  readonly matched: Matched
  /** As they are looked for in the text: words, and phrases as words with spaces between them. */
  readonly sought: ReadonlySet<string>
}

/** A leaf that speaks for hits, and where it was found in each space. */
export interface Evidence {
  readonly leaf: Leaf
  readonly postings: readonly Postings[]
}

/** A wildcard may have matched hundreds of words; a reader wants the gist. */
const MOST_WORDS = 20
/** For each word of a query that is found in several forms. */
const MOST_FORMS = 8
/** A preview can show no more. */
const MOST_SOUGHT = 32
/** So many words are looked for in any case, of all patterns together, and more only for hits that none of these explains. */
const FIRST_WORDS = 64

/** Why each hit matched, in the order of the hits. */
export function reasonsOf(
  spaces: readonly OpenSpace[],
  hits: readonly Hit[],
  evidence: readonly Evidence[],
): Reason[] {
  const reasons = hits.map(({ doc }): PageHit => ({ doc, matched: {}, sought: new Set() }))
  spaces.forEach(({ reader }, at) => {
    const here = reasons.filter((_, index) => hits[index]!.at === at)
    if (here.length === 0) return
    const first = Math.ceil(FIRST_WORDS / evidence.length)
    for (const { leaf, postings } of evidence) explain(reader, { leaf, first, postings: postings[at]! }, here)
  })
  return reasons
}

interface PageHit extends Reason {
  readonly doc: number
  readonly sought: Set<string>
}

function explain(
  reader: StoredSpace,
  found: { readonly leaf: Leaf; readonly first: number; readonly postings: Postings },
  hits: readonly PageHit[],
): void {
  const { leaf, first, postings } = found
  const explained = hits.filter(hit => findMask(postings, hit.doc) !== 0)
  if (leaf.slots.length > 1) {
    const words = leaf.slots.map(slot => (slot.kind === 'wildcard' ? slot.pattern : slot.word)).join(' ')
    const isPhrase = leaf.near === undefined && leaf.slots.every(slot => slot.kind === 'word')
    for (const hit of explained) {
      addWord(hit.matched, words, findMask(postings, hit.doc))
      if (isPhrase) hit.sought.add(words)
    }
    if (!isPhrase) for (const slot of leaf.slots) seekWords(reader, slot, explained)
    return
  }
  const fields = leaf.field === undefined ? 255 : 1 << SEARCH_FIELDS.indexOf(leaf.field)
  const unexplained = new Set(explained)
  const { terms } = reader.expand(leaf.slots[0]!)
  // A few lists are wanted again by the next search, and kept; those of a pattern for hundreds of words are not.
  const maskOf = (term: number, doc: number) => {
    if (terms.length === 1) return findMask(postings, doc)
    return terms.length <= first ? findMask(reader.postings(term), doc) : reader.maskOf(term, doc)
  }
  for (const [index, term] of terms.entries()) {
    if (index >= first && unexplained.size === 0) return
    // The first words are told of every hit, the others only of those that nothing else explains.
    for (const hit of index < first ? hits : unexplained) {
      const mask = maskOf(term, hit.doc) & fields
      if (mask === 0) continue
      const word = reader.wordOf(term)
      addWord(hit.matched, word, mask)
      if (hit.sought.size < MOST_SOUGHT) hit.sought.add(word)
      unexplained.delete(hit)
    }
  }
}

/** Words in any order, or in any form: the text has them close together, in a form that the query does not tell. */
function seekWords(reader: StoredSpace, slot: Pattern, hits: readonly PageHit[]): void {
  for (const term of reader.expand(slot).terms.slice(0, MOST_FORMS)) {
    const postings = reader.postings(term)
    for (const hit of hits) if (findMask(postings, hit.doc) !== 0) hit.sought.add(reader.wordOf(term))
  }
}

function addWord(matched: Matched, raw: string, mask: number): void {
  const word = escapeHidden(raw, { oneLine: true })
  for (let left = mask; left !== 0; left &= left - 1) {
    const field = SEARCH_FIELDS[31 - Math.clz32(left & -left)]!
    const words = matched[field]
    if (words === undefined) matched[field] = [word]
    else if (words.length < MOST_WORDS && !words.includes(word)) words.push(word)
  }
}
