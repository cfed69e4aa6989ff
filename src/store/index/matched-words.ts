// Why each hit of a page matched: the words of it that did, by field.
import { SEARCH_FIELDS, type SearchField } from '../../query/index.ts'
import { findMask, type Leaf, type Postings } from '../../search/index.ts'
import type { Hit, OpenSpace } from './hit.ts'
import type { SpaceReader } from './space-reader.ts'

export type Matched = Partial<Record<SearchField, string[]>>

/** A leaf that speaks for hits, and where it was found in each space. */
export interface Evidence {
  readonly leaf: Leaf
  readonly postings: readonly Postings[]
}

/** A wildcard may have matched hundreds of words; a reader wants the gist. */
const MOST_WORDS = 20
/** So many words are looked for in any case, of all patterns together, and more only for hits that none of these explains. */
const FIRST_WORDS = 64

/** The matched words of each hit, in the order of the hits. */
export function matchedWords(
  spaces: readonly OpenSpace[],
  hits: readonly Hit[],
  evidence: readonly Evidence[],
): Matched[] {
  const matched: Matched[] = hits.map(() => ({}))
  spaces.forEach(({ reader }, at) => {
    const here = hits.flatMap((hit, index) =>
      hit.at === at ? [{ doc: hit.doc, matched: matched[index]! }] : [],
    )
    if (here.length === 0) return
    const first = Math.ceil(FIRST_WORDS / evidence.length)
    for (const { leaf, postings } of evidence) explain(reader, { leaf, first, postings: postings[at]! }, here)
  })
  return matched
}

interface PageHit {
  readonly doc: number
  readonly matched: Matched
}

function explain(
  reader: SpaceReader,
  found: { readonly leaf: Leaf; readonly first: number; readonly postings: Postings },
  hits: readonly PageHit[],
): void {
  const { leaf, first, postings } = found
  if (leaf.slots.length > 1) {
    const words = leaf.slots.map(slot => (slot.kind === 'wildcard' ? slot.pattern : slot.word)).join(' ')
    for (const hit of hits) addWord(hit.matched, words, findMask(postings, hit.doc))
    return
  }
  const fields = leaf.field === undefined ? 255 : 1 << SEARCH_FIELDS.indexOf(leaf.field)
  const unexplained = new Set(hits.filter(hit => findMask(postings, hit.doc) !== 0))
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
      addWord(hit.matched, reader.wordOf(term), mask)
      unexplained.delete(hit)
    }
  }
}

function addWord(matched: Matched, word: string, mask: number): void {
  for (let left = mask; left !== 0; left &= left - 1) {
    const field = SEARCH_FIELDS[31 - Math.clz32(left & -left)]!
    const words = matched[field]
    if (words === undefined) matched[field] = [word]
    else if (words.length < MOST_WORDS && !words.includes(word)) words.push(word)
  }
}
